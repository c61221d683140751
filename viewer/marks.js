// Points that were picked, the distance between two, and what is known of them.
import {parts, partAt} from './layout.js';
import {$, element, page, state, svgElement} from './page.js';
import {factsOf, inDigits, inFile, pick, pickMiddle, placeOf} from './picking.js';

let marks = [];  // {cloud, index}, at most two

const distance = (p, q) => Math.hypot(...p.map((v, axis) => v - q[axis]));

/// Pieces of the distance between the marks, in the unit of the file.
export function measured() {
  if (marks.length < 2) {
    return null;
  }
  const [p, q] = marks.map(({cloud, index}) => inFile(cloud, index));
  return {distance: distance(p, q), along: q.map((v, axis) => v - p[axis])};
}

export const picked = () => marks.map(mark => ({...mark, row: page.clouds[mark.cloud].cloud.rows[mark.index], place: inFile(mark.cloud, mark.index)}));

export function clearMarks() {
  marks = [];
  showFacts();
  drawMarks();
}

/// Takes a point, or null where there was none; the second one while measuring, or where asked for.
function take(found, isSecond) {
  if (found) {
    marks = isSecond && marks.length > 0 ? [marks[0], found] : [found];
    if (isSecond && marks.length === 2 && marks[0].cloud === found.cloud && marks[0].index === found.index) {
      marks = [found];
    }
    showFacts();
    drawMarks();
  }
}

export const takeAt = (x, y, isSecond) => {
  const part = partAt(x, y);
  take(part ? pick(part, x, y) : null, isSecond || (state.isMeasuring && marks.length === 1));
};
export const takeMiddle = () => take(pickMiddle(), state.isMeasuring && marks.length === 1);

function showFacts() {
  const root = $('picked');
  root.hidden = marks.length === 0;
  if (root.hidden) {
    return;
  }
  const last = marks.at(-1);
  const unit = page.scene.unit ? ` ${page.scene.unit}` : '';
  const between = measured();
  const facts = [
    ...(between ? [['distance', inDigits(between.distance) + unit], ['along x, y, z', between.along.map(inDigits).join(', ')]] : []),
    ...factsOf(last),
  ];
  const list = document.createElement('dl');
  list.append(...facts.flatMap(([name, text]) => [element('dt', name), element('dd', text)]));
  $('picked-title').textContent = page.clouds[last.cloud].cloud.name;
  $('picked-facts').replaceChildren(list);
}

/// Where a mark is on the canvas, in every part that shows its cloud.
function placesOf(mark) {
  return parts().filter(part => part.cloud === page.clouds[mark.cloud]).map(part => {
    const {x, y} = page.stage.viewpoint.projector(part.view)(...placeOf(mark.cloud, mark.index));
    const [left, top, width, height] = part.window;
    return {x, y, isSeen: x >= left && x <= left + width && y >= top && y <= top + height};
  });
}

/// Rings around the marks and a line between them; follows the camera.
export function drawMarks() {
  const root = $('marks');
  if (marks.length === 0 && root.childElementCount === 0) {
    return;
  }
  const places = marks.map(placesOf);
  const drawn = [];
  if (places.length === 2 && places.every(list => list.length > 0)) {
    const [from, to] = places.map(list => list[0]);
    drawn.push(svgElement('line', {x1: from.x, y1: from.y, x2: to.x, y2: to.y}));
    const text = svgElement('text', {x: (from.x + to.x) / 2 + 8, y: (from.y + to.y) / 2 - 8});
    text.textContent = inDigits(measured().distance) + (page.scene.unit ? ` ${page.scene.unit}` : '');
    drawn.push(text);
  }
  for (const {x, y, isSeen} of places.flat()) {
    if (isSeen) {
      drawn.push(svgElement('circle', {cx: x, cy: y, r: 7}));
    }
  }
  root.replaceChildren(...drawn);
}

/// A short press without a move is a pick; with Shift, the end of a measurement.
export function listenForPicks(canvas) {
  let pressed = null;
  canvas.addEventListener('pointerdown', event => {
    pressed = event.isPrimary && event.button === 0 ? {x: event.clientX, y: event.clientY, time: event.timeStamp} : null;
  });
  canvas.addEventListener('pointerup', event => {
    const slack = event.pointerType === 'touch' ? 10 : 4;
    if (pressed && event.isPrimary && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) <= slack &&
        event.timeStamp < pressed.time + 600) {
      const box = canvas.getBoundingClientRect();
      takeAt(event.clientX - box.left, event.clientY - box.top, event.shiftKey);
    }
    pressed = null;
  });
}
