// The stage: one canvas, one camera, and the parts of the canvas that clouds are drawn in.
import {PerspectiveCamera, Quaternion, Scene, Spherical, Vector3, WebGLRenderer} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';

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

export class Stage {
  constructor(canvas, clouds, onChange) {
    this.canvas = canvas;
    this.clouds = clouds;
    this.onChange = onChange;
    this.focus = focusOf(clouds.map(points => points.cloud));
    this.renderer = new WebGLRenderer({canvas, antialias: false, alpha: true, powerPreference: 'high-performance'});
    this.renderer.setScissorTest(true);
    this.scene = new Scene();
    clouds.forEach(({points}) => this.scene.add(points));
    this.camera = new PerspectiveCamera(32, 1, 0.001, 100);
    this.detail = 1;
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

  /// Draws clouds into parts of the canvas: {cloud, view, window}, rectangles [left, top, width, height] in CSS pixels;
  /// the view is what the camera fills, the window what is seen of it.
  draw(parts) {
    this.begun = performance.now();
    const {clientWidth: width, clientHeight: height} = this.canvas;
    const ratio = Math.min(window.devicePixelRatio, 2);
    if (this.width !== width || this.height !== height || this.ratio !== ratio) {
      Object.assign(this, {width, height, ratio});
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
    }
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance / 500;
    this.camera.far = distance + 4;
    for (const {cloud, view, window: seen} of parts) {
      const fromBelow = ([left, top, w, h]) => [left, height - top - h, w, h];
      this.renderer.setViewport(...fromBelow(view));
      this.renderer.setScissor(...fromBelow(seen));
      this.camera.aspect = view[2] / view[3];
      this.camera.updateProjectionMatrix();
      const pixels = (view[3] * ratio) / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
      for (const points of this.clouds) {
        points.points.visible = points === cloud;
      }
      cloud.size(0.95 * this.pointSize * cloud.cloud.spacing, pixels, 1.5 * ratio);
      cloud.draw(this.detail);
      this.renderer.render(this.scene, this.camera);
    }
    const gl = this.renderer.getContext();
    gl.deleteSync(this.fence);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }
}
