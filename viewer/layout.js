// Parts of the stage, what is in them, and their labels.
import {$, page, state} from './page.js';

/// Columns and rows whose cells are as large as can be; of equally large ones, those that leave the fewest empty.
function gridFor(count, width, height) {
  let best = {size: 0};
  for (let columns = 1; columns <= count; ++columns) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(width / columns, height / rows);
    if (size > best.size || (size === best.size && columns * rows < best.columns * best.rows)) {
      best = {columns, rows, size};
    }
  }
  return best.size > 0 ? best : {columns: count, rows: 1};
}

/// {cloud, view, window, label}: the view is what the camera fills, the window what is seen of it, [left, top, width,
/// height] in pixels of the page; the label says whether there is room for the name of the cloud.
export function parts() {
  const {clouds} = page;
  const {clientWidth: width, clientHeight: height} = $('canvas');
  const all = [0, 0, width, height];
  const [a, b] = [clouds[state.a], clouds[state.b]];
  if (state.mode === 'swipe') {
    const left = Math.round(state.slider * width);
    return [
      {cloud: a, view: all, window: [0, 0, left, height], label: left > 40},
      {cloud: b, view: all, window: [left, 0, width - left, height], label: width - left > 40},
    ].filter(part => part.window[2] > 0);
  }
  if (state.mode === 'morph') {
    return [{cloud: b, view: all, window: all, label: false}];
  }
  const {columns, rows} = gridFor(clouds.length, width, height);
  return clouds.map((cloud, c) => {
    const [w, h] = [width / columns, height / rows];
    const cell = [Math.round((c % columns) * w), Math.round(Math.floor(c / columns) * h), Math.floor(w) - 1, Math.floor(h) - 1];
    return {cloud, view: cell, window: cell, label: true};
  });
}

export const shapeOfViews = () => {
  const [, , width, height] = parts()[0].view;
  return width / height;
};

/// The part whose window holds a place of the canvas; undefined if there is none.
export const partAt = (x, y) =>
    parts().find(({window: [left, top, w, h]}) => x >= left && x < left + w && y >= top && y < top + h);

let labelled = '';

/// Names of the clouds, made again only where they change: browsers paint them again otherwise, every frame.
export function drawLabels(shown) {
  const labels = shown.filter(part => part.label);
  const now = JSON.stringify([state.mode, ...labels.map(({cloud, window}) => [cloud.cloud.name, ...window])]);
  if (now === labelled) {
    return;
  }
  labelled = now;
  $('labels').replaceChildren(...labels.map(({cloud, window: [left, top, width]}) => {
    const label = document.createElement('span');
    label.textContent = cloud.cloud.name;
    const atRight = state.mode === 'swipe' && left > 0;
    label.className = atRight ? 'right' : '';
    Object.assign(label.style, {left: `${left}px`, top: `${top}px`, width: `${width}px`});
    return label;
  }));
  $('divider').hidden = state.mode !== 'swipe';
  $('divider').style.left = `${100 * state.slider}%`;
}
