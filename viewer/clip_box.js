// The box that clips the clouds: two sliders for each axis.
import {Vector3} from 'three';
import {$, page, state} from './page.js';

const whole = [0, 1, 0, 1, 0, 1];
export const isClipped = () => state.clip.some((part, k) => part !== whole[k]);

/// Gives the clouds the box. A side that is not moved is as far out as can be.
export function clipClouds() {
  const {box: {min, max}, centre, radius} = page.scene;
  const at = (axis, part) => (min[axis] + part * (max[axis] - min[axis]) - centre[axis]) / radius;
  const corner = (first, far) => new Vector3(...[0, 1, 2].map(axis => {
    const part = state.clip[2 * axis + first];
    return part === first ? far : at(axis, part);
  }));
  const [low, high] = [corner(0, -1e9), corner(1, 1e9)];
  page.clouds.forEach(points => points.clipTo(low, high));
}

export function makeClipControls(set) {
  const rows = ['x', 'y', 'z'].map((name, axis) => {
    const row = document.createElement('div');
    row.className = 'field';
    const label = document.createElement('span');
    label.textContent = name;
    const sliders = document.createElement('div');
    sliders.className = 'pair';
    for (const end of [0, 1]) {
      const slider = document.createElement('input');
      Object.assign(slider, {type: 'range', min: 0, max: 1, step: 0.001, id: `clip-${name}-${end ? 'to' : 'from'}`});
      slider.value = end;
      slider.setAttribute('aria-label', `Clip box, ${name} ${end ? 'to' : 'from'}`);
      slider.addEventListener('input', () => {
        const clip = [...state.clip];
        clip[2 * axis + end] = Number(slider.value);
        // One end pushes the other.
        const other = 2 * axis + 1 - end;
        clip[other] = end ? Math.min(clip[other], clip[2 * axis + 1]) : Math.max(clip[other], clip[2 * axis]);
        set({clip});
      });
      sliders.append(slider);
    }
    row.append(label, sliders);
    return row;
  });
  $('clip-rows').replaceChildren(...rows);
  $('clip-reset').addEventListener('click', () => set({clip: [...whole]}));
}

export function showClipControls() {
  ['x', 'y', 'z'].forEach((name, axis) => {
    $(`clip-${name}-from`).value = state.clip[2 * axis];
    $(`clip-${name}-to`).value = state.clip[2 * axis + 1];
  });
  $('clip-reset').disabled = !isClipped();
}
