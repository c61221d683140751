// The page: state, controls and keys. What is shown follows from `state` alone.
import {CloudPoints, mapTexture} from './cloud_points.js';
import {Frames} from './frames.js';
import {drawHistogram, drawLegend, drawWords, tidy, titleOf} from './legend.js';
import {drawNumbers} from './numbers.js';
import {readScene} from './scene.js';
import {axes, countOf, Stage} from './stage.js';

const $ = id => document.getElementById(id);
const whole = new Intl.NumberFormat('en');
const roughly = new Intl.NumberFormat('en', {maximumSignificantDigits: 1});
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const themes = ['auto', 'light', 'dark'];
const state = {mode: 'grid', a: 0, b: 0, slider: 0.5, colour: 'plain', range: 0, size: 0, up: 'z', theme: 'auto'};
let scene, clouds, stage, frames, maps;

const fieldOf = id => scene.fields.find(field => field.id === id);
const stopsOf = field => scene.colourMaps[field.hasSign ? 'sign' : 'size'];
const comparable = (a, b) => a !== b && [a, b].every(c => c === 0 || scene.clouds[c].followsFirst);

/// Parts of the stage and what is in them.
function parts() {
  const {clientWidth: width, clientHeight: height} = $('canvas');
  const whole = [0, 0, width, height];
  const [a, b] = [clouds[state.a], clouds[state.b]];
  if (state.mode === 'swipe') {
    const left = Math.round(state.slider * width);
    return [
      {cloud: a, view: whole, window: [0, 0, left, height], label: left > 40},
      {cloud: b, view: whole, window: [left, 0, width - left, height], label: width - left > 40},
    ].filter(part => part.window[2] > 0);
  }
  if (state.mode === 'morph') {
    return [{cloud: b, view: whole, window: whole, label: false}];
  }
  const across = width / Math.max(height, 1);
  const columns = Math.min(clouds.length, Math.max(1, Math.round(Math.sqrt(clouds.length * across))));
  const rows = Math.ceil(clouds.length / columns);
  return clouds.map((cloud, c) => {
    const [w, h] = [width / columns, height / rows];
    const cell = [Math.round((c % columns) * w), Math.round(Math.floor(c / columns) * h), Math.floor(w) - 1, Math.floor(h) - 1];
    return {cloud, view: cell, window: cell, label: true};
  });
}

const shapeOfViews = () => {
  const [, , width, height] = parts()[0].view;
  return width / height;
};

let labelled = '';

/// Names of the clouds on the stage, made anew only where they change: browsers paint them again otherwise, every frame.
function drawLabels(shown) {
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

/// What the stage holds of the points, roughly while that changes: words that change with every frame are not read.
function tellDrawn(shown) {
  const all = countOf(shown);
  const text = stage.detail === 1 ? `${whole.format(all)} points` :
                                    `about ${roughly.format(stage.detail * all)} of ${whole.format(all)} points for now`;
  if ($('drawn').textContent !== text) {
    $('drawn').textContent = text;
  }
}

/// Makes the clouds as the state wants them.
function prepare() {
  stage.pointSize = 2 ** state.size;
  clouds.forEach(points => points.morphFrom(null));
  if (state.mode === 'morph') {
    clouds[state.b].morphFrom(clouds[state.a], state.slider);
  }
  return parts();
}

function showColours() {
  const field = fieldOf(state.colour);
  const factor = 2 ** state.range;
  clouds.forEach(points => points.colourBy(state.colour, field, field && maps[field.hasSign ? 'sign' : 'size'], factor));
  $('range-row').hidden = !field;
  if (field) {
    drawLegend($('legend'), field, stopsOf(field), field.range * factor);
  } else if (state.colour === 'normal') {
    drawWords($('legend'), 'Direction of the surface', 'red, green, blue: how much the normal points along x, y, z');
  } else if (state.colour === 'original') {
    drawWords($('legend'), 'Colours of the file', '');
  } else {
    $('legend').hidden = true;
  }
  const counted = field ?? fieldOf('move');
  const values = counted && (clouds[state.b].cloud.fields[counted.id] ?? clouds[state.a].cloud.fields[counted.id]);
  $('histogram-section').hidden = !values;
  if (values) {
    const range = counted.range * (field ? factor : 1);
    const first = clouds[state.a].cloud.fields[counted.id];
    const isMove = counted.id.startsWith('move');
    const before = !isMove && state.a !== state.b && first !== values ? first : null;
    drawHistogram($('histogram'), counted, stopsOf(counted), range, values, before);
    $('histogram-title').textContent = titleOf(counted);
    const name = c => clouds[c].cloud.name;
    const beyond = values.reduce((sum, v) => sum + (Math.abs(v) > range ? 1 : 0), 0) / values.length;
    $('histogram-caption').textContent = (before ? `Bars: ${name(state.b)}; line: ${name(state.a)}. ` : '') +
        `${tidy(100 * beyond)} % of the points lie beyond the ends and are counted there.`;
  }
}

function showControls() {
  for (const radio of $('modes').querySelectorAll('button')) {
    const on = radio.dataset.mode === state.mode;
    radio.setAttribute('aria-checked', on);
    radio.tabIndex = on ? 0 : -1;
    radio.disabled = radio.dataset.mode === 'morph' && !comparable(state.a, state.b);
  }
  const slides = state.mode !== 'grid';
  $('slider-row').hidden = !slides;
  document.body.classList.toggle('slides', slides);
  $('slider').value = state.slider;
  $('slider-before').textContent = clouds[state.a].cloud.name;
  $('slider-after').textContent = clouds[state.b].cloud.name;
  const swipes = state.mode === 'swipe';
  $('slider').setAttribute('aria-valuetext', `${Math.round(100 * (swipes ? state.slider : 1 - state.slider))} % ${clouds[state.a].cloud.name}`);
  for (const name of ['a', 'b']) {
    $(`choose-${name}`).value = state[name];
    $(`choose-${name}-row`).hidden = clouds.length < 3;
  }
  for (const name of ['colour', 'range', 'size', 'up']) {
    $(name).value = state[name];
  }
  $('theme').textContent = {auto: '◐', light: '☀', dark: '☾'}[state.theme];
  $('theme').title = `Colours of the page: ${state.theme}`;
  document.documentElement.dataset.theme = state.theme;
}

/// The one way to change anything.
function set(changes) {
  const {up: upBefore, mode: modeBefore} = state;
  Object.assign(state, changes);
  if (state.mode === 'morph' && !comparable(state.a, state.b)) {
    state.mode = 'swipe';
  }
  showControls();
  if (['colour', 'range', 'a', 'b'].some(name => name in changes)) {
    showColours();
  }
  if (state.mode !== modeBefore) {
    stage.fit(shapeOfViews());
  }
  if (state.up !== upBefore) {
    stage.look(state.up, scene.azimuth, scene.elevation);
  }
  frames.request();
}

const next = (list, value, step = 1) => list[(list.indexOf(value) + step + list.length) % list.length];
const colourNames = () => [...$('colour').options].map(option => option.value);
const modes = () => [...$('modes').querySelectorAll('button:not(:disabled)')].map(button => button.dataset.mode);
const reset = () => stage.look(state.up, scene.azimuth, scene.elevation);

function save() {
  frames.draw();
  $('canvas').toBlob(blob => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = 'burnish.png';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

const keys = [
  {keys: [' ', 'b'], name: 'Space, B', help: 'before or after', run: () => state.mode !== 'grid' && set({slider: state.slider > 0.5 ? 0 : 1})},
  {keys: [',', '.'], name: ', and .', help: 'move the slider', run: key => set({slider: clamp(state.slider + (key === '.' ? 0.05 : -0.05), 0, 1)})},
  {keys: ['m'], name: 'M', help: 'swipe, morph or side by side', run: () => modes().length && set({mode: next(modes(), state.mode)})},
  {keys: ['c'], name: 'C, Shift C', help: 'next, previous colouring', run: (_, event) => set({colour: next(colourNames(), state.colour, event.shiftKey ? -1 : 1)})},
  {keys: ['arrowleft', 'arrowright', 'arrowup', 'arrowdown'], name: 'Arrows', help: 'turn; with Shift, move', run: steer},
  {keys: ['+', '=', '-'], name: '+ and −', help: 'zoom', run: key => stage.zoom(key === '-' ? 1.15 : 1 / 1.15)},
  {keys: ['[', ']'], name: '[ and ]', help: 'point size', run: key => set({size: clamp(state.size + (key === ']' ? 0.25 : -0.25), -2, 2)})},
  {keys: ['<', '>'], name: '< and >', help: 'range of the colours', run: key => set({range: clamp(state.range + (key === '>' ? 0.25 : -0.25), -2, 2)})},
  {keys: '123456789'.split(''), name: '1 … 9', help: 'which cloud is shown as “after”', run: key => key <= clouds.length && set({b: key - 1})},
  {keys: ['u'], name: 'U', help: 'which way is up', run: () => set({up: next(axes, state.up)})},
  {keys: ['r'], name: 'R', help: 'reset the view', run: reset},
  {keys: ['p'], name: 'P', help: 'show or hide the panel', run: () => $('panel-toggle').click()},
  {keys: ['t'], name: 'T', help: 'light or dark', run: () => set({theme: next(themes, state.theme)})},
  {keys: ['s'], name: 'S', help: 'save a picture', run: save},
  {keys: ['?'], name: '?', help: 'this help', run: () => $('help').showModal()},
];

function steer(key, event) {
  const [right, up] = {arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, 1], arrowdown: [0, -1]}[key];
  event.shiftKey ? stage.move(0.05 * right, 0.05 * up) : stage.turn(0.1 * right, -0.1 * up);
}

function onKey(event) {
  const control = event.target.closest('input, select, button, summary, .scroll, dialog');
  const key = event.key.toLowerCase();
  // Controls keep the keys they use themselves.
  const ownKeys = event.target.matches('select') ? /^[a-z0-9 ]$|^arrow/ : /^ $|^arrow|^[-+]$/;
  if (event.ctrlKey || event.metaKey || event.altKey || $('help').open || (control && ownKeys.test(key))) {
    return;
  }
  const found = keys.find(entry => entry.keys.includes(key));
  if (found) {
    event.preventDefault();
    found.run(key, event);
  }
}

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

function makeControls() {
  $('title').textContent = scene.title;
  const names = clouds.length < 2 ? [] : [['swipe', 'Swipe'], ['morph', 'Morph'], ['grid', 'Side by side']];
  $('modes').replaceChildren(...names.map(([mode, text]) => {
    const button = document.createElement('button');
    Object.assign(button, {type: 'button', textContent: text});
    button.setAttribute('role', 'radio');
    button.dataset.mode = mode;
    button.addEventListener('click', () => set({mode}));
    return button;
  }));
  $('modes').addEventListener('keydown', event => {
    const step = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}[event.key];
    if (step) {
      event.preventDefault();
      set({mode: next(modes(), state.mode, step)});
      $('modes').querySelector('[aria-checked=true]').focus();
    }
  });
  const colours = [['plain', 'Shape only']];
  if (clouds.some(points => points.cloud.colours)) {
    colours.push(['original', 'Colours of the file']);
  }
  fill($('colour'), [...colours, ...scene.fields.map(field => [field.id, field.label]), ['normal', 'Normals']]);
  fill($('up'), axes.map(axis => [axis, axis.replace('-', '−')]));
  for (const name of ['a', 'b']) {
    fill($(`choose-${name}`), clouds.map((points, c) => [c, points.cloud.name]));
    $(`choose-${name}`).addEventListener('change', event => set({[name]: Number(event.target.value)}));
  }
  for (const name of ['colour', 'up']) {
    $(name).addEventListener('change', event => set({[name]: event.target.value}));
  }
  for (const name of ['slider', 'range', 'size']) {
    $(name).addEventListener('input', event => set({[name]: Number(event.target.value)}));
  }
  $('theme').addEventListener('click', () => set({theme: next(themes, state.theme)}));
  $('reset').addEventListener('click', reset);
  $('save').addEventListener('click', save);
  $('help-open').addEventListener('click', () => $('help').showModal());
  $('panel-toggle').addEventListener('click', () => {
    const closed = document.body.classList.toggle('no-panel');
    $('panel-toggle').setAttribute('aria-expanded', !closed);
  });
  $('keys').replaceChildren(...keys.flatMap(({name, help}) => {
    const [term, text] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = name;
    text.textContent = help;
    return [term, text];
  }));
  const divider = $('divider');
  divider.addEventListener('pointerdown', event => {
    divider.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  divider.addEventListener('pointermove', event => {
    if (divider.hasPointerCapture(event.pointerId)) {
      const box = $('canvas').getBoundingClientRect();
      set({slider: clamp((event.clientX - box.left) / box.width, 0, 1)});
    }
  });
  document.addEventListener('keydown', onKey);
  new ResizeObserver(() => frames.request()).observe($('canvas'));

  const thinned = scene.clouds.filter(cloud => cloud.shown + cloud.notFinite < cloud.points)
                      .map(cloud => `${whole.format(cloud.shown)} of ${whole.format(cloud.points)} points of ${cloud.name}`);
  $('note').hidden = thinned.length === 0;
  $('note').textContent = `Thinned for the page: ${thinned.join(', ')}.`;
  drawNumbers($('numbers'), $('meanings'), scene.clouds);
}

async function start() {
  scene = await readScene();
  clouds = scene.clouds.map(cloud => new CloudPoints(cloud, scene.plainColour));
  maps = Object.fromEntries(Object.entries(scene.colourMaps).map(([name, stops]) => [name, mapTexture(stops)]));
  stage = new Stage($('canvas'), clouds, () => frames.request());
  frames = new Frames(stage, prepare, shown => {
    drawLabels(shown);
    tellDrawn(shown);
  });
  makeControls();
  const first = fieldOf('truth') ?? fieldOf('move');
  const mode = clouds.length === 2 ? 'swipe' : 'grid';
  set({mode, up: scene.up, b: Math.min(1, clouds.length - 1), colour: first ? first.id : clouds[0].cloud.colours ? 'original' : 'plain'});
  stage.fit(shapeOfViews());
  stage.look(state.up, scene.azimuth, scene.elevation);
  frames.drawSome();
  $('message').remove();
}

// For scripts and tests.
window.burnish = {
  state,
  set,
  get scene() { return scene; },
  get camera() { return stage.camera; },
  /// Where clouds are drawn on the canvas: left, top, width, height.
  views: () => parts().map(part => part.view),
  get drawn() { return frames.drawn; },
  /// Which part of the points is on the canvas, and whether that stays so until something is changed.
  get detail() { return stage.detail; },
  get rests() { return !frames.isRunning; },
  draw: () => frames.draw(),
  turn: (around, over) => stage.turn(around, over),
  /// Point i of a cloud as it was packed, in coordinates of the file.
  point(c, i) {
    const at = 3 * scene.clouds[c].places[i];
    return scene.centre.map((middle, axis) => middle + scene.radius * scene.clouds[c].positions[at + axis]);
  },
  value: (c, id, i) => scene.clouds[c].fields[id][scene.clouds[c].places[i]],
};

start().then(() => document.body.classList.add('ready'), error => {
  $('message').textContent = `This page cannot be shown here: ${error.message}. It needs a browser with WebGL 2 of 2023 or later.`;
  console.error(error);
});
