// The controls of the page: made once, then shown as the state is.
import {isClipped, makeClipControls, showClipControls} from './clip_box.js';
import {clearMarks} from './marks.js';
import {drawNumbers} from './numbers.js';
import {$, clamp, comparable, page, state, whole} from './page.js';
import {axes} from './viewpoint.js';

export const themes = ['auto', 'light', 'dark'];
export const next = (list, value, step = 1) => list[(list.indexOf(value) + step + list.length) % list.length];
export const modes = () => [...$('modes').querySelectorAll('button:not(:disabled)')].map(button => button.dataset.mode);
export const colourNames = () => [...$('colour').options].map(option => option.value);
export const viewNames = ['start', 'top', 'front', 'side'];

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

function makeModes(set) {
  const names = page.clouds.length < 2 ? [] : [['swipe', 'Swipe'], ['morph', 'Morph'], ['grid', 'Side by side']];
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
}

function makeDivider(set) {
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
}

/// A percentile that was typed; null for none.
function typedPercentile(text) {
  const value = Number.parseFloat(text);
  return Number.isNaN(value) ? null : clamp(value, 0, 100);
}

export function makeControls({set, lookFrom, save}) {
  const {scene, clouds} = page;
  $('title').textContent = scene.title;
  makeModes(set);
  makeDivider(set);
  makeClipControls(set);
  const colours = [['plain', 'Shape, lit']];
  if (clouds.some(points => points.cloud.colours)) {
    colours.push(['original', 'Colours of the file']);
  }
  fill($('colour'), [...colours, ...scene.fields.map(field => [field.id, field.label]), ['normal', 'Normals']]);
  fill($('up'), axes.map(axis => [axis, axis.replace('-', '−')]));
  fill($('budget'), [[0, 'as many as is smooth'], [250000, '250,000'], [1000000, '1 million'], [5000000, '5 million'], [1e12, 'all']]);
  for (const name of ['a', 'b']) {
    fill($(`choose-${name}`), clouds.map((points, c) => [c, points.cloud.name]));
    $(`choose-${name}`).addEventListener('change', event => set({[name]: Number(event.target.value)}));
  }
  for (const name of ['colour', 'up']) {
    $(name).addEventListener('change', event => set({[name]: event.target.value}));
  }
  for (const name of ['slider', 'size', 'budget']) {
    $(name).addEventListener('input', event => set({[name]: Number(event.target.value)}));
  }
  for (const name of ['low', 'high']) {
    $(name).addEventListener('change', event => set({[name]: typedPercentile(event.target.value)}));
  }
  for (const name of viewNames) {
    $(`view-${name}`).addEventListener('click', () => lookFrom(name));
  }
  $('orthographic').addEventListener('change', event => set({isOrthographic: event.target.checked}));
  $('measure').addEventListener('click', () => set({isMeasuring: !state.isMeasuring}));
  $('picked-close').addEventListener('click', clearMarks);
  $('theme').addEventListener('click', () => set({theme: next(themes, state.theme)}));
  $('save').addEventListener('click', save);
  $('help-open').addEventListener('click', () => $('help').showModal());
  $('panel-toggle').addEventListener('click', () => {
    const closed = document.body.classList.toggle('no-panel');
    $('panel-toggle').setAttribute('aria-expanded', !closed);
  });

  const thinned = scene.clouds.filter(cloud => cloud.shown + cloud.notFinite < cloud.points)
                      .map(cloud => `${whole.format(cloud.shown)} of ${whole.format(cloud.points)} points of ${cloud.name}`);
  $('note').hidden = thinned.length === 0;
  $('note').textContent = `Thinned for the page: ${thinned.join(', ')}. --max-points shows more.`;
  drawNumbers($('numbers'), $('meanings'), scene.clouds);
}

export function showControls() {
  const {clouds} = page;
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
  const before = state.mode === 'swipe' ? state.slider : 1 - state.slider;
  $('slider').setAttribute('aria-valuetext', `${Math.round(100 * before)} % ${clouds[state.a].cloud.name}`);
  for (const name of ['a', 'b']) {
    $(`choose-${name}`).value = state[name];
    $(`choose-${name}-row`).hidden = clouds.length < 3;
  }
  for (const name of ['colour', 'size', 'up', 'budget']) {
    $(name).value = state[name];
  }
  for (const name of ['low', 'high']) {
    $(name).value = state[name] ?? '';
  }
  $('orthographic').checked = state.isOrthographic;
  $('measure').setAttribute('aria-pressed', state.isMeasuring);
  document.body.classList.toggle('measures', state.isMeasuring);
  $('clip').open ||= isClipped();
  showClipControls();
  $('theme').textContent = {auto: '◐', light: '☀', dark: '☾'}[state.theme];
  $('theme').title = `Colours of the page: ${state.theme}`;
  document.documentElement.dataset.theme = state.theme;
}
