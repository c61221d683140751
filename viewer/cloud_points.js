// A cloud on the graphics card: points as discs that lie on the surface, one draw call.
import {BufferAttribute, BufferGeometry, DataTexture, GLSL3, LinearFilter, Points, RGBAFormat, ShaderMaterial, Sphere, UnsignedByteType, Vector3} from 'three';

export const colourings = {plain: 0, original: 1, normal: 2, field: 3};

const vertexShader = `
  in vec3 start;
  in vec4 flatNormal;
  in vec4 colour;
  in float value;
  uniform float morph, radius, pixels, smallest;
  uniform int colouring;
  uniform vec2 range;
  uniform vec3 plain, clipLow, clipHigh;
  uniform sampler2D map;
  out vec3 shade;
  out vec3 discNormal;

  vec3 unfold(vec2 square) {
    vec3 n = vec3(square, 1.0 - abs(square.x) - abs(square.y));
    if (n.z < 0.0) {
      n.xy = (1.0 - abs(n.yx)) * vec2(n.x < 0.0 ? -1.0 : 1.0, n.y < 0.0 ? -1.0 : 1.0);
    }
    return normalize(n);
  }

  void main() {
    vec3 normal = unfold(flatNormal.xy * 2.0 - 1.0);
    vec3 here = mix(start, position, morph);
    vec4 place = modelViewMatrix * vec4(here, 1.0);
    discNormal = normalize(mat3(modelViewMatrix) * normal);
    discNormal *= discNormal.z < 0.0 ? -1.0 : 1.0;
    float light = 0.22 + 0.82 * pow(0.5 + 0.5 * dot(discNormal, normalize(vec3(-0.40, 0.50, 0.80))), 1.5);
    if (colouring == 0) {
      shade = plain * light;
    } else if (colouring == 1) {
      shade = colour.rgb * (0.45 + 0.55 * light);
    } else if (colouring == 2) {
      shade = (normal * 0.5 + 0.5) * (0.6 + 0.4 * light);
    } else {
      float part = (value - range.x) / (range.y - range.x);
      vec3 mapped = texture(map, vec2(clamp(part, 0.0, 1.0), 0.5)).rgb;
      shade = (value > 1e30 ? plain : mapped) * light;
    }
    bool isClipped = any(lessThan(here, clipLow)) || any(greaterThan(here, clipHigh));
    gl_Position = isClipped ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * place;
    gl_PointSize = clamp(2.0 * radius * pixels / gl_Position.w, smallest, 96.0);
  }`;

const fragmentShader = `
  in vec3 shade;
  in vec3 discNormal;
  out vec4 result;

  void main() {
    vec2 p = vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y) * 2.0 - 1.0;
    float depth = dot(discNormal.xy, p) / max(discNormal.z, 0.45);
    if (dot(p, p) + depth * depth > 1.0) {
      discard;
    }
    result = vec4(shade, 1.0);
  }`;

/// A colour map, given at equal steps, as a texture.
export function mapTexture(stops) {
  const size = 256;
  const data = new Uint8Array(4 * size);
  for (let i = 0; i < size; ++i) {
    data.set([...mapColour(stops, i / (size - 1)).map(part => Math.round(255 * part)), 255], 4 * i);
  }
  const texture = new DataTexture(data, size, 1, RGBAFormat, UnsignedByteType);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/// The colour at a part of the way along the map.
export function mapColour(stops, part) {
  const along = Math.min(Math.max(part, 0), 1) * (stops.length - 1);
  const step = Math.min(Math.floor(along), stops.length - 2);
  return stops[step].map((low, c) => low + (along - step) * (stops[step + 1][c] - low));
}

export class CloudPoints {
  constructor(cloud, plain) {
    this.cloud = cloud;
    this.positions = new BufferAttribute(cloud.positions, 3);
    this.values = {id: null, attribute: null};  // of the field that was shown last
    this.geometry = new BufferGeometry();
    this.geometry.setAttribute('position', this.positions);
    this.geometry.setAttribute('start', this.positions);
    this.geometry.setAttribute('flatNormal', new BufferAttribute(cloud.normals, 4, true));
    if (cloud.colours) {
      this.geometry.setAttribute('colour', new BufferAttribute(cloud.colours, 4, true));
    }
    this.geometry.boundingSphere = new Sphere(new Vector3(), 1e9);
    this.material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader,
      fragmentShader,
      uniforms: {
        morph: {value: 1},
        radius: {value: 1},
        pixels: {value: 1},
        smallest: {value: 1},
        colouring: {value: 0},
        range: {value: [0, 1]},
        plain: {value: plain},
        map: {value: null},
        clipLow: {value: new Vector3(-1e9, -1e9, -1e9)},
        clipHigh: {value: new Vector3(1e9, 1e9, 1e9)},
      },
    });
    this.points = new Points(this.geometry, this.material);
    this.points.frustumCulled = false;
  }

  /// Shows a field of the scene, or one of the other colourings; plain where the cloud does not have it.
  colourBy(name, field, map, range) {
    const uniforms = this.material.uniforms;
    if (field && this.cloud.fields[field.id]) {
      if (this.values.id !== field.id) {
        this.values = {id: field.id, attribute: new BufferAttribute(this.cloud.fields[field.id].floats(field.low), 1)};
      }
      this.geometry.setAttribute('value', this.values.attribute);
      uniforms.range.value = range.map(end => end - field.low);
      uniforms.map.value = map;
      uniforms.colouring.value = colourings.field;
    } else {
      const there = name === 'normal' || (name === 'original' && this.cloud.colours);
      uniforms.colouring.value = there ? colourings[name] : colourings.plain;
    }
  }

  /// Draws points on their way from another cloud, or where they are.
  morphFrom(other, part) {
    this.geometry.setAttribute('start', other ? other.positions : this.positions);
    this.material.uniforms.morph.value = other ? part : 1;
  }

  /// Shows only points between two corners of a box.
  clipTo(low, high) {
    this.material.uniforms.clipLow.value.copy(low);
    this.material.uniforms.clipHigh.value.copy(high);
  }

  isInside(place) {
    const {clipLow, clipHigh} = this.material.uniforms;
    const [low, high] = [clipLow.value.toArray(), clipHigh.value.toArray()];
    return place.every((v, axis) => v >= low[axis] && v <= high[axis]);
  }

  /// Which points to draw.
  draw(from, count) {
    this.geometry.setDrawRange(from, count);
  }

  size(radius, pixels, smallest) {
    const {uniforms} = this.material;
    uniforms.radius.value = radius;
    uniforms.pixels.value = pixels;
    uniforms.smallest.value = smallest;
  }
}
