// A key for everything.
import {colourNames, modes, next, themes, viewNames} from './controls.js';
import {clearMarks, takeMiddle} from './marks.js';
import {$, clamp, page, state} from './page.js';
import {axes} from './viewpoint.js';

const percentiles = [50, 75, 90, 95, 98, 99, 99.9, 100];
const nudged = (list, value, step) => list[clamp(list.indexOf(value) + step, 0, list.length - 1)];

function steer(key, event) {
  const {viewpoint} = page.stage;
  const [right, up] = {arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, 1], arrowdown: [0, -1]}[key];
  event.shiftKey ? viewpoint.move(0.05 * right, 0.05 * up) : viewpoint.turn(0.1 * right, -0.1 * up);
}

/// {keys, name, help, run} of every key.
export function makeKeys({set, lookFrom, save}) {
  let view = 'start';
  const keys = [
    {keys: [' ', 'b'], name: 'Space, B', help: 'before or after', run: () => state.mode !== 'grid' && set({slider: state.slider > 0.5 ? 0 : 1})},
    {keys: [',', '.'], name: ', and .', help: 'move the slider', run: key => set({slider: clamp(state.slider + (key === '.' ? 0.05 : -0.05), 0, 1)})},
    {keys: ['m'], name: 'M', help: 'swipe, morph or side by side', run: () => modes().length && set({mode: next(modes(), state.mode)})},
    {keys: ['c'], name: 'C, Shift C', help: 'next, previous colouring', run: (_, event) => set({colour: next(colourNames(), state.colour, event.shiftKey ? -1 : 1)})},
    {keys: ['<', '>'], name: '< and >', help: 'percentile where the colours end', run: key => set({high: nudged(percentiles, state.high ?? 98, key === '>' ? 1 : -1)})},
    {keys: ['arrowleft', 'arrowright', 'arrowup', 'arrowdown'], name: 'Arrows', help: 'turn; with Shift, move', run: steer},
    {keys: ['+', '=', '-'], name: '+ and −', help: 'zoom', run: key => page.stage.viewpoint.zoom(key === '-' ? 1.15 : 1 / 1.15)},
    {keys: ['v'], name: 'V', help: 'top, front, side, first view', run: () => lookFrom((view = next(viewNames, view)))},
    {keys: ['o'], name: 'O', help: 'perspective or orthographic', run: () => set({isOrthographic: !state.isOrthographic})},
    {keys: ['[', ']'], name: '[ and ]', help: 'point size', run: key => set({size: clamp(state.size + (key === ']' ? 0.25 : -0.25), -2, 2)})},
    {keys: ['i'], name: 'I', help: 'inspect the point in the middle', run: takeMiddle},
    {keys: ['d'], name: 'D', help: 'measure the distance of two points', run: () => set({isMeasuring: !state.isMeasuring})},
    {keys: ['x', 'escape'], name: 'X, Escape', help: 'forget points that were picked', run: clearMarks},
    {keys: '123456789'.split(''), name: '1 … 9', help: 'which cloud is shown as “after”', run: key => key <= page.clouds.length && set({b: key - 1})},
    {keys: ['u'], name: 'U', help: 'which way is up', run: () => set({up: next(axes, state.up)})},
    {keys: ['r'], name: 'R', help: 'reset the view', run: () => lookFrom((view = 'start'))},
    {keys: ['p'], name: 'P', help: 'show or hide the panel', run: () => $('panel-toggle').click()},
    {keys: ['t'], name: 'T', help: 'light or dark', run: () => set({theme: next(themes, state.theme)})},
    {keys: ['s'], name: 'S', help: 'save a picture', run: save},
    {keys: ['?'], name: '?', help: 'this help', run: () => $('help').showModal()},
  ];
  $('keys').replaceChildren(...keys.flatMap(({name, help}) => {
    const [term, text] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = name;
    text.textContent = help;
    return [term, text];
  }));
  document.addEventListener('keydown', event => {
    const control = event.target.closest('input, select, button, summary, .scroll, dialog');
    const key = event.key.toLowerCase();
    // Controls keep the keys they use themselves.
    const ownKeys = event.target.matches('select, input[type=number]') ? /^[-a-z0-9. ]$|^arrow/ : /^ $|^arrow|^[-+]$/;
    if (event.ctrlKey || event.metaKey || event.altKey || $('help').open || (control && ownKeys.test(key))) {
      return;
    }
    const found = keys.find(entry => entry.keys.includes(key));
    if (found) {
      event.preventDefault();
      found.run(key, event);
    }
  });
}
