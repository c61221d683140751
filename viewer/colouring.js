// The colours of the clouds, with legend and histogram.
import {drawHistogram, drawLegend, drawWords, tidy, titleOf} from './legend.js';
import {$, fieldOf, page, state} from './page.js';

const stopsOf = field => page.scene.colourMaps[field.hasSign ? 'sign' : 'size'];
const mapOf = field => page.maps[field.hasSign ? 'sign' : 'size'];

/// The value below which a percentage of a sample of values lie.
function percentile(sorted, percent) {
  return sorted[Math.round((percent / 100) * (sorted.length - 1))];
}

/// Values of the clouds on the stage, or those sizes that matter where the sign has its own colours, sorted; at most
/// some hundred thousand of them.
function sortedSample(field) {
  const numbers = state.mode === 'grid' ? page.clouds.keys() : new Set([state.a, state.b]);
  const lists = [...numbers].map(c => page.clouds[c].cloud.fields[field.id]).filter(Boolean);
  const values = [];
  for (const list of lists) {
    const stride = Math.max(1, Math.floor(list.length / 100000));
    for (let i = 0; i < list.length; i += stride) {
      const value = list.at(i);
      if (!Number.isNaN(value)) {
        values.push(field.hasSign ? Math.abs(value) : value);
      }
    }
  }
  return Float64Array.from(values).sort();
}

/// Where the colours of a field begin and end: as the program found, or at percentiles of the values.
export function rangeOf(field) {
  if (state.low === null && state.high === null) {
    return [field.low, field.high];
  }
  const sorted = sortedSample(field);
  if (sorted.length === 0) {
    return [field.low, field.high];
  }
  const high = state.high === null ? field.high : percentile(sorted, state.high);
  const low = field.hasSign ? -high : state.low === null ? field.low : percentile(sorted, state.low);
  return high > low ? [low, high] : [low, low + (Math.abs(low) || 1) * 1e-6];
}

function showLegend(field, range) {
  if (field) {
    drawLegend($('legend'), field, stopsOf(field), range);
  } else if (state.colour === 'normal') {
    drawWords($('legend'), 'Direction of the surface', 'red, green, blue: how much the normal points along x, y, z');
  } else if (state.colour === 'original') {
    drawWords($('legend'), 'Colours of the file', '');
  } else {
    $('legend').hidden = true;
  }
}

/// Of the field that is shown, or of the moves.
function showHistogram(field, range) {
  const counted = field ?? fieldOf('move');
  const ofCloud = c => counted && page.clouds[c].cloud.fields[counted.id];
  const values = ofCloud(state.b) ?? ofCloud(state.a);
  $('histogram-section').hidden = !values;
  if (!values) {
    return;
  }
  const [low, high] = field ? range : [counted.low, counted.high];
  const first = ofCloud(state.a);
  const isMove = counted.id.startsWith('move');
  const before = !isMove && !counted.isAttribute && state.a !== state.b && first !== values ? first : null;
  const beyond = drawHistogram($('histogram'), counted, stopsOf(counted), [low, high], values, before);
  $('histogram-title').textContent = titleOf(counted);
  const name = c => page.clouds[c].cloud.name;
  $('histogram-caption').textContent = (before ? `Bars: ${name(state.b)}; line: ${name(state.a)}. ` : '') +
      `${tidy((100 * beyond) / values.length)} % of the points lie beyond the ends and are counted there.`;
}

export function showColours() {
  const field = fieldOf(state.colour);
  const range = field && rangeOf(field);
  page.clouds.forEach(points => points.colourBy(state.colour, field, field && mapOf(field), range));
  $('range-row').hidden = !field;
  $('low').disabled = Boolean(field?.hasSign);
  showLegend(field, range);
  showHistogram(field, range);
}
