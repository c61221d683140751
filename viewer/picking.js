// Which point is at a place of the canvas, and what there is to know about it.
import {parts} from './layout.js';
import {fieldOf, page, state, whole} from './page.js';

const reach = 7;  // pixels of the page: points that near can be hit

/// Where point i of a cloud is drawn, in coordinates of the page: between two clouds while they morph.
export function placeOf(c, i) {
  const {positions} = page.clouds[c].cloud;
  const place = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
  if (state.mode !== 'morph' || c !== state.b) {
    return place;
  }
  const from = page.clouds[state.a].cloud.positions;
  return place.map((end, axis) => from[3 * i + axis] + state.slider * (end - from[3 * i + axis]));
}

/// The point of a part that is in front at a place of the canvas, as {cloud, index}; null if there is none. Of points
/// whose discs cover the place, or nearly so, those not behind the nearest by more than a disc are taken to lie on the
/// surface that is seen; of these the one nearest to the place counts.
export function pick(part, x, y) {
  const c = page.clouds.indexOf(part.cloud);
  const project = page.stage.viewpoint.projector(part.view);
  const radius = page.stage.radiusOf(part.cloud, 1);
  const hits = [];
  for (let i = 0; i < part.cloud.cloud.shown; ++i) {
    const place = placeOf(c, i);
    const seen = project(...place);
    const off = Math.hypot(seen.x - x, seen.y - y);
    if (off <= Math.max(reach, radius * seen.scale) && Math.abs(seen.depth) <= 1 && part.cloud.isInside(place)) {
      hits.push({index: i, off, distance: seen.distance});
    }
  }
  const nearest = hits.reduce((least, hit) => Math.min(least, hit.distance), Infinity);
  const onSurface = hits.filter(hit => hit.distance <= nearest + 2 * radius);
  const best = onSurface.reduce((found, hit) => (found && found.off <= hit.off ? found : hit), null);
  return best && {cloud: c, index: best.index};
}

/// The point in the middle of the view of the cloud after, for those who have no pointer.
export function pickMiddle() {
  const part = parts().find(({cloud}) => cloud === page.clouds[state.b]) ?? parts()[0];
  const [left, top, width, height] = part.view;
  return pick(part, left + width / 2, top + height / 2);
}

/// A length or coordinate, with the digits that the page holds.
export function inDigits(value) {
  const digits = Math.min(12, Math.max(0, Math.floor(-Math.log10(page.scene.step))));
  return value.toFixed(digits).replace('-', '−');
}

/// In the coordinates of the file.
export function inFile(c, i) {
  const {centre, radius} = page.scene;
  const {positions} = page.clouds[c].cloud;
  return centre.map((middle, axis) => middle + radius * positions[3 * i + axis]);
}

/// A value as a text: measured ones with four digits, of attributes those that are sure although the page holds them in
/// steps, so that a time of 300,000,000 s keeps its fractions.
function valueText(field, values, value) {
  const sure = Math.floor(Math.log10(Math.abs(value) / values.step));
  const digits = field.isAttribute ? Math.min(Math.max(sure, 1), 15) : 4;
  const text = field.isAttribute && Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
  return text.replace('-', '−') + (field.unit ? ` ${field.unit}` : '');
}

/// What is known of a point, as names and texts.
export function factsOf({cloud: c, index: i}) {
  const {cloud} = page.clouds[c];
  const place = inFile(c, i);
  const facts = [['point', `${whole.format(cloud.rows[i] + 1)} of ${whole.format(cloud.points)}`]];
  facts.push(...['x', 'y', 'z'].map((name, axis) => [name, inDigits(place[axis])]));
  if (cloud.followsFirst) {
    const from = inFile(0, i);
    facts.push(['moved by', place.map((v, axis) => inDigits(v - from[axis])).join(', ')]);
  }
  const colour = cloud.colours && [...cloud.colours.subarray(4 * i, 4 * i + 3)];
  const isIntensity = colour && cloud.fields['attribute intensity'] && new Set(colour).size === 1;
  if (colour && !isIntensity) {
    facts.push(['colour', colour.join(' ')]);
  }
  for (const [id, values] of Object.entries(cloud.fields)) {
    const value = values.at(i);
    const field = fieldOf(id);
    facts.push([field.label, Number.isNaN(value) ? 'no value' : valueText(field, values, value)]);
  }
  return facts;
}
