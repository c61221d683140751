// The stage: one canvas, one camera, and the parts of the canvas that clouds are drawn in.
import {GLSL3, NoBlending, PerspectiveCamera, Quaternion, Scene, ShaderMaterial, Spherical, Vector3, WebGLRenderer, WebGLRenderTarget} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {FullScreenQuad} from 'three/addons/postprocessing/Pass.js';

export const axes = ['z', 'y', 'x', '-z', '-y', '-x'];

/// The vertical and the two horizontal directions, as in src/view/picture.cpp.
function directions(up) {
  const axis = 'xyz'.indexOf(up.at(-1));
  const unit = k => new Vector3().setComponent(k % 3, 1);
  const vertical = unit(axis).multiplyScalar(up.startsWith('-') ? -1 : 1);
  const first = unit(axis + 1);
  return {vertical, first, second: vertical.clone().cross(first)};
}

/// Middle and size of what the clouds fill but for their outermost few points: one stray point must not make all
/// others small.
function focusOf(clouds) {
  const ends = [0, 1, 2].map(axis => {
    const sample = [];
    for (const {positions} of clouds) {
      const stride = 3 * Math.max(1, Math.floor(positions.length / 3 / 20000));
      for (let i = axis; i < positions.length; i += stride) {
        sample.push(positions[i]);
      }
    }
    sample.sort((a, b) => a - b);
    const at = part => sample[Math.round(part * (sample.length - 1))];
    return [at(0.005), at(0.995)];
  });
  const middle = new Vector3(...ends.map(([low, high]) => (low + high) / 2));
  const radius = Math.hypot(...ends.map(([low, high]) => high - low)) / 2 || 1;
  return {middle, radius};
}

/// Puts a picture that was drawn beside the canvas onto it, as it is.
function copier(texture) {
  return new FullScreenQuad(new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: 'void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }',
    fragmentShader: `
      uniform sampler2D picture;
      out vec4 result;
      void main() { result = texelFetch(picture, ivec2(gl_FragCoord.xy), 0); }`,
    uniforms: {picture: {value: texture}},
    blending: NoBlending,
    depthTest: false,
    depthWrite: false,
  }));
}

export const countOf = parts => parts.reduce((sum, {cloud}) => sum + cloud.cloud.shown, 0);

export class Stage {
  constructor(canvas, clouds, onChange) {
    this.canvas = canvas;
    this.clouds = clouds;
    this.onChange = onChange;
    this.focus = focusOf(clouds.map(points => points.cloud));
    this.renderer = new WebGLRenderer({canvas, antialias: false, alpha: true, powerPreference: 'high-performance'});
    this.renderer.setScissorTest(true);
    this.renderer.autoClear = false;
    this.beside = new WebGLRenderTarget(1, 1);
    this.copy = copier(this.beside.texture);
    this.scene = new Scene();
    clouds.forEach(({points}) => this.scene.add(points));
    this.camera = new PerspectiveCamera(32, 1, 0.001, 100);
    this.detail = 0;  // which part of the points is on the canvas
    this.isComplete = false;
    this.drawnLast = 0;  // points
    this.fence = null;
    this.narrow = 1;
    this.pointSize = 1;
  }

  /// Looks from a direction, in degrees, at everything.
  look(up, azimuth, elevation) {
    const {vertical, first, second} = directions(up);
    const [a, e] = [azimuth, elevation].map(degrees => (degrees * Math.PI) / 180);
    const direction = vertical.clone().multiplyScalar(Math.sin(e))
                          .addScaledVector(first, Math.cos(e) * Math.cos(a))
                          .addScaledVector(second, Math.cos(e) * Math.sin(a));
    this.camera.up.copy(vertical);
    const distance = this.focus.radius / Math.sin((this.camera.fov * Math.PI) / 360) / this.narrow;
    this.camera.position.copy(this.focus.middle).addScaledVector(direction, distance);
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.target.copy(this.focus.middle);
    this.controls.minDistance = 1e-3;
    this.controls.maxDistance = 100;
    this.controls.addEventListener('start', () => this.canvas.focus({preventScroll: true}));
    this.controls.addEventListener('change', this.onChange);
    this.controls.update();
    this.onChange();
  }

  /// Sees as much as before in views of another shape, width over height.
  fit(shape) {
    const before = this.narrow;
    this.narrow = Math.min(1, shape);
    if (this.controls) {
      this.zoom(before / this.narrow);
    }
  }

  /// Turns by angles, moves by parts of what is seen, or zooms.
  turn(around, over) {
    const toY = new Quaternion().setFromUnitVectors(this.camera.up, new Vector3(0, 1, 0));
    const offset = this.camera.position.clone().sub(this.controls.target).applyQuaternion(toY);
    const place = new Spherical().setFromVector3(offset);
    place.theta += around;
    place.phi += over;
    place.makeSafe();
    offset.setFromSpherical(place).applyQuaternion(toY.invert());
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.onChange();
  }
  move(right, up) {
    const seen = this.camera.position.distanceTo(this.controls.target);
    const axis = column => new Vector3().setFromMatrixColumn(this.camera.matrix, column);
    const way = axis(0).multiplyScalar(right * seen).addScaledVector(axis(1), up * seen);
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.controls.update();
    this.onChange();
  }
  zoom(factor) {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.onChange();
  }

  /// How long the last drawing took, in milliseconds; undefined if it is not finished, null if that was told before.
  timeOfLastDraw() {
    if (!this.fence) {
      return null;
    }
    const gl = this.renderer.getContext();
    if (gl.clientWaitSync(this.fence, 0, 0) === gl.TIMEOUT_EXPIRED) {
      return undefined;
    }
    gl.deleteSync(this.fence);
    this.fence = null;
    return performance.now() - this.begun;
  }

  /// Pixels of a sharp picture for one of the page, a side.
  get sharp() {
    return Math.min(window.devicePixelRatio, 2);
  }

  /// Makes the canvas as large as it is on the page, with so many pixels for one of the page.
  fitCanvas(ratio) {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    if (this.width !== width || this.height !== height || this.ratio !== ratio) {
      Object.assign(this, {width, height, ratio});
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
    }
  }

  /// Chooses where to draw, the canvas (null) or the picture beside it; three.js counts pixels of the page on the one
  /// and those of the picture on the other.
  drawOn(target, view, window) {
    this.renderer.setRenderTarget(target);
    const scale = target ? this.sharp : 1;
    const fromBelow = ([left, top, w, h]) => [left, this.height - top - h, w, h].map(v => v * scale);
    this.renderer.setViewport(...fromBelow(view));
    this.renderer.setScissor(...fromBelow(window));
  }

  clear(target) {
    const whole = [0, 0, this.width, this.height];
    this.drawOn(target, whole, whole);
    this.renderer.clear();
  }

  /// Draws points of one part, from one of them on; `detail` tells of which part of the cloud the picture will be.
  drawPoints({cloud, view, window}, target, detail, from, count) {
    this.drawOn(target, view, window);
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance / 500;
    this.camera.far = distance + 4;
    this.camera.aspect = view[2] / view[3];
    this.camera.updateProjectionMatrix();
    for (const points of this.clouds) {
      points.points.visible = points === cloud;
    }
    const ratio = target ? this.sharp : this.ratio;
    const pixels = (view[3] * ratio) / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
    cloud.size((0.95 * this.pointSize * cloud.cloud.spacing) / Math.sqrt(detail), pixels, 1.5 * ratio);
    cloud.draw(from, count);
    this.renderer.render(this.scene, this.camera);
    this.drawnLast += count;
  }

  begin() {
    this.begun = performance.now();
    this.drawnLast = 0;
  }
  end() {
    const gl = this.renderer.getContext();
    gl.deleteSync(this.fence);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /// Draws clouds, or only the first points of each, into parts of the canvas: {cloud, view, window}, rectangles [left,
  /// top, width, height] in CSS pixels; the view is what the camera fills, the window what is seen of it.
  draw(parts, detail, isCoarse) {
    this.begin();
    this.fitCanvas(isCoarse ? this.sharp / 2 : this.sharp);
    this.clear(null);
    for (const part of parts) {
      this.drawPoints(part, null, detail, 0, Math.ceil(detail * part.cloud.cloud.shown));
    }
    this.detail = detail;
    this.isComplete = detail === 1 && !isCoarse;
    this.end();
  }

  /// Draws all points, as many at a time as next(count) asks for, while the canvas shows what it did; then shows them.
  *refine(parts) {
    this.beside.setSize(Math.floor(this.width * this.sharp), Math.floor(this.height * this.sharp));
    let left = yield;
    this.begin();
    this.clear(this.beside);
    for (const part of parts) {
      for (let from = 0, count; from < part.cloud.cloud.shown; from += count) {
        if (left < 1) {
          this.end();
          left = yield;
          this.begin();
        }
        count = Math.min(Math.ceil(left), part.cloud.cloud.shown - from);
        this.drawPoints(part, this.beside, 1, from, count);
        left -= count;
      }
    }
    this.drawnLast += left;  // copying takes time as well, and must not pass for slow points
    this.fitCanvas(this.sharp);
    this.clear(null);
    this.copy.render(this.renderer);
    this.detail = 1;
    this.isComplete = true;
    this.end();
  }
}
