// Legend and histogram of the field that is shown.
import {mapColour} from './cloud_points.js';
import {element, svgElement} from './page.js';

export const tidy = value => {
  const text = Number(value.toPrecision(3));
  return Math.abs(text) >= 1e5 || (text !== 0 && Math.abs(text) < 1e-4) ? text.toExponential().replace('e', ' × 10^') :
                                                                          String(text);
};

const unitOf = field => field.unit || (field.id === 'curvature' ? 'per unit of the file' : 'in units of the file');

/// What a field is, with its unit.
export const titleOf = field => (field.isAttribute ? field.label : `${field.label}, ${unitOf(field)}`);

const css = colour => `rgb(${colour.map(part => Math.round(255 * part)).join(' ')})`;

/// The colours of a field with their numbers.
export function drawLegend(root, field, stops, [low, high]) {
  root.hidden = false;
  const bar = element('div', '', 'colours');
  bar.style.background = `linear-gradient(to right, ${stops.map(css).join(', ')})`;
  const ticks = element('div', '', 'ticks');
  for (const part of [0, 0.5, 1]) {
    const value = low + part * (high - low);
    const beyond = part === 1 ? '≥ ' : part === 0 && low !== 0 ? '≤ ' : '';
    ticks.append(element('span', beyond + tidy(value).replace('-', '−')));
  }
  root.replaceChildren(element('strong', titleOf(field)), bar, ticks);
  if (field.id === 'move') {
    root.append(element('div', '− inwards · + outwards', 'hint'));
  }
}

/// Words instead of a colour bar.
export function drawWords(root, title, text) {
  root.hidden = false;
  root.replaceChildren(element('strong', title), element('div', text, 'hint'));
}

/// Counts in equal bins; what lies beyond the ends is in the bins there, and counted as such.
function count(values, low, high, bins) {
  const counts = new Uint32Array(bins);
  let beyond = 0;
  for (let i = 0; i < values.length; ++i) {
    const value = values.at(i);
    if (!Number.isNaN(value)) {
      const bin = Math.floor(((value - low) / (high - low)) * bins);
      ++counts[Math.min(Math.max(bin, 0), bins - 1)];
      beyond += value < low || value > high ? 1 : 0;
    }
  }
  return {counts, beyond};
}

/// How often each value occurs: bars for `values`, a line for `before` if that is given. What lies beyond the range is
/// in the bins at its ends; returns how many these are.
export function drawHistogram(root, field, stops, [low, high], values, before) {
  const [width, height, foot, bins] = [300, 96, 16, 60];
  const {counts, beyond} = count(values, low, high, bins);
  const beforeCounts = before ? count(before, low, high, bins).counts : [];
  const most = Math.max(1, ...counts, ...beforeCounts);
  const svg = svgElement('svg', {viewBox: `0 0 ${width} ${height + foot}`, role: 'img'});
  svg.setAttribute('aria-label', `Histogram: ${field.label}`);
  const y = n => height - (height - 4) * (n / most);
  counts.forEach((n, bin) => {
    const bar = svgElement('rect', {x: (bin * width) / bins + 0.5, y: y(n), width: width / bins - 1, height: height - y(n)});
    bar.style.fill = css(mapColour(stops, (bin + 0.5) / bins));
    svg.append(bar);
  });
  if (before) {
    const line = [...beforeCounts].map((n, bin) => `${((bin + 0.5) * width) / bins},${y(n)}`).join(' ');
    svg.append(svgElement('polyline', {points: line, class: 'before'}));
  }
  svg.append(svgElement('line', {x1: 0, x2: width, y1: height, y2: height, class: 'axis'}));
  const anchors = ['start', 'middle', 'end'];
  [0, 0.5, 1].forEach((part, k) => {
    const text = svgElement('text', {x: part * width, y: height + 13, 'text-anchor': anchors[k]});
    text.textContent = tidy(low + part * (high - low)).replace('-', '−');
    svg.append(text);
  });
  root.replaceChildren(svg);
  return beyond;
}
