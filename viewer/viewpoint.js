// Where the clouds are looked at from: one camera for all of them, with perspective or without, and its controls.
import {Matrix4, OrthographicCamera, PerspectiveCamera, Quaternion, Spherical, Vector3} from 'three';
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

/// Views by name: degrees around the vertical and above the horizon. A little less than straight from above, where the
/// camera would not know which way is up.
export const namedViews = {top: [-90, 89.99], front: [-90, 0], side: [0, 0]};

export class Viewpoint {
  constructor(canvas, clouds, onChange) {
    this.canvas = canvas;
    this.onChange = onChange;
    this.focus = focusOf(clouds.map(points => points.cloud));
    this.camera = new PerspectiveCamera(32, 1, 0.001, 100);
    this.flatCamera = new OrthographicCamera();
    this.isOrthographic = false;
    this.narrow = 1;
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

  /// The camera for a view, and how many pixels of the page one unit of length is at depth 1 (with perspective) or
  /// everywhere (without). Without perspective, what the controls look at has the size it has with it.
  aim([, , width, height]) {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    Object.assign(this.camera, {near: distance / 500, far: distance + 4, aspect: width / height});
    this.camera.updateProjectionMatrix();
    if (!this.isOrthographic) {
      this.camera.updateMatrixWorld();
      return {camera: this.camera, pixels: height / (2 * slope)};
    }
    const top = distance * slope;
    const right = (top * width) / height;
    Object.assign(this.flatCamera, {left: -right, right, top, bottom: -top, near: -4, far: distance + 4});
    this.flatCamera.position.copy(this.camera.position);
    this.flatCamera.quaternion.copy(this.camera.quaternion);
    this.flatCamera.updateProjectionMatrix();
    this.flatCamera.updateMatrixWorld();
    return {camera: this.flatCamera, pixels: height / (2 * top)};
  }

  /// How points of the scene lie on a view: a function of their coordinates that gives the place in pixels of the page,
  /// the depth as the graphics card has it, the distance along the view, and how many pixels one unit of length is.
  projector(view) {
    const {camera, pixels} = this.aim(view);
    const e = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    const [left, top, width, height] = view;
    const m = camera.matrixWorldInverse.elements;
    return (x, y, z) => {
      const distance = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
      const w = e[3] * x + e[7] * y + e[11] * z + e[15];
      const right = (e[0] * x + e[4] * y + e[8] * z + e[12]) / w;
      const up = (e[1] * x + e[5] * y + e[9] * z + e[13]) / w;
      const depth = (e[2] * x + e[6] * y + e[10] * z + e[14]) / w;
      return {x: left + (right + 1) * 0.5 * width, y: top + (1 - up) * 0.5 * height, depth, distance, scale: pixels / w};
    };
  }
}
