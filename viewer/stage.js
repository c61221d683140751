// The stage: one canvas, and the parts of it that clouds are drawn in.
import {GLSL3, NoBlending, Scene, ShaderMaterial, WebGLRenderer, WebGLRenderTarget} from 'three';
import {FullScreenQuad} from 'three/addons/postprocessing/Pass.js';
import {Viewpoint} from './viewpoint.js';

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
    this.renderer = new WebGLRenderer({canvas, antialias: false, alpha: true, powerPreference: 'high-performance'});
    this.renderer.setScissorTest(true);
    this.renderer.autoClear = false;
    this.beside = new WebGLRenderTarget(1, 1);
    this.beside.scissorTest = true;  // of the target; the canvas has its own, set above
    this.copy = copier(this.beside.texture);
    this.scene = new Scene();
    clouds.forEach(({points}) => this.scene.add(points));
    this.viewpoint = new Viewpoint(canvas, clouds, onChange);
    this.detail = 0;  // which part of the points is on the canvas
    this.isComplete = false;
    this.drawnLast = 0;  // points
    this.fence = null;
    this.pointSize = 1;
  }

  /// How long the last drawing took, in milliseconds; undefined if it is not finished, null if that was returned before.
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

  /// Makes the canvas as large as it is on the page, with `ratio` pixels for one of the page.
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

  /// How large points are drawn, as a radius in the unit of the scene.
  radiusOf(cloud, detail) {
    return (0.95 * this.pointSize * cloud.cloud.spacing) / Math.sqrt(detail);
  }

  /// Draws points of one part, from one of them on; `detail` is the part of the cloud that the picture will show.
  drawPoints({cloud, view, window}, target, detail, from, count) {
    this.drawOn(target, view, window);
    const {camera, pixels} = this.viewpoint.aim(view);
    for (const points of this.clouds) {
      points.points.visible = points === cloud;
    }
    const ratio = target ? this.sharp : this.ratio;
    cloud.size(this.radiusOf(cloud, detail), pixels * ratio, 1.5 * ratio);
    cloud.draw(from, count);
    this.renderer.render(this.scene, camera);
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
