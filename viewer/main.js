// The page: makes its parts, and carries every change of the state to them.
import {clipClouds} from './clip_box.js';
import {CloudPoints, mapTexture} from './cloud_points.js';
import {rangeOf, showColours} from './colouring.js';
import {makeControls, showControls} from './controls.js';
import {Frames} from './frames.js';
import {makeKeys} from './keys.js';
import {drawLabels, parts, shapeOfViews} from './layout.js';
import {clearMarks, drawMarks, listenForPicks, measured, picked, takeAt} from './marks.js';
import {$, comparable, fieldOf, page, state, whole} from './page.js';
import {readScene} from './scene.js';
import {countOf, Stage} from './stage.js';
import {namedViews} from './viewpoint.js';

const roughly = new Intl.NumberFormat('en', {maximumSignificantDigits: 1});

/// What the stage holds of the points, roughly while that changes: words that change with every frame are not read.
function tellDrawn(shown) {
  const all = countOf(shown);
  const {detail} = page.stage;
  const text = detail === 1 ? `${whole.format(all)} points` :
                              `about ${roughly.format(detail * all)} of ${whole.format(all)} points for now`;
  if ($('drawn').textContent !== text) {
    $('drawn').textContent = text;
  }
}

/// Makes the clouds as the state wants them.
function prepare() {
  const {clouds, stage} = page;
  stage.pointSize = 2 ** state.size;
  clouds.forEach(points => points.morphFrom(null));
  if (state.mode === 'morph') {
    clouds[state.b].morphFrom(clouds[state.a], state.slider);
  }
  return parts();
}

/// The one way to change anything.
function set(changes) {
  const {stage, frames} = page;
  const {up: upBefore, mode: modeBefore} = state;
  Object.assign(state, changes);
  if (state.mode === 'morph' && !comparable(state.a, state.b)) {
    state.mode = 'swipe';
  }
  stage.viewpoint.isOrthographic = state.isOrthographic;
  frames.budget = state.budget;
  showControls();
  if (['colour', 'low', 'high', 'a', 'b', 'mode'].some(name => name in changes)) {
    showColours();
  }
  if ('clip' in changes) {
    clipClouds();
  }
  if (state.mode !== modeBefore) {
    stage.viewpoint.fit(shapeOfViews());
  }
  if (state.up !== upBefore) {
    lookFrom('start');
  }
  frames.request();
}

/// Looks from one of the named views, or from where the page began.
function lookFrom(name) {
  const [azimuth, elevation] = namedViews[name] ?? [page.scene.azimuth, page.scene.elevation];
  page.stage.viewpoint.look(state.up, azimuth, elevation);
}

function save() {
  page.frames.draw();
  $('canvas').toBlob(blob => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = 'burnish.png';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

async function start() {
  const scene = await readScene();
  const clouds = scene.clouds.map(cloud => new CloudPoints(cloud, scene.plainColour));
  const maps = Object.fromEntries(Object.entries(scene.colourMaps).map(([name, stops]) => [name, mapTexture(stops)]));
  Object.assign(page, {scene, clouds, maps});
  page.stage = new Stage($('canvas'), clouds, () => page.frames.request());
  page.frames = new Frames(page.stage, prepare, shown => {
    drawLabels(shown);
    drawMarks();
    tellDrawn(shown);
    window.burnish.onFrame?.();
  });
  makeControls({set, lookFrom, save});
  makeKeys({set, lookFrom, save});
  listenForPicks($('canvas'));
  new ResizeObserver(() => page.frames.request()).observe($('canvas'));
  set({mode: clouds.length === 2 ? 'swipe' : 'grid', up: scene.up, b: Math.min(1, clouds.length - 1)});
  page.stage.viewpoint.fit(shapeOfViews());
  lookFrom('start');
  page.frames.drawSome();
  $('message').remove();
}

// For scripts and tests.
window.burnish = {
  state,
  set,
  lookFrom,
  get scene() { return page.scene; },
  get camera() { return page.stage.viewpoint.camera; },
  /// Where clouds are drawn on the canvas: left, top, width, height.
  views: () => parts().map(part => part.view),
  /// Where a place of the file is on the first of these.
  project(place) {
    const {centre, radius} = page.scene;
    const {x, y} = page.stage.viewpoint.projector(parts()[0].view)(...place.map((v, axis) => (v - centre[axis]) / radius));
    return [x, y];
  },
  get drawn() { return page.frames.drawn; },
  /// Which part of the points is on the canvas, and whether that stays so until something is changed.
  get detail() { return page.stage.detail; },
  get rests() { return !page.frames.isRunning; },
  /// Called, if it is set, when the canvas has just changed.
  onFrame: null,
  draw: () => page.frames.draw(),
  turn: (around, over) => page.stage.viewpoint.turn(around, over),
  /// Point i of a cloud as it was packed, in coordinates of the file.
  point(c, i) {
    const at = 3 * page.scene.clouds[c].places[i];
    return page.scene.centre.map((middle, axis) => middle + page.scene.radius * page.scene.clouds[c].positions[at + axis]);
  },
  value: (c, id, i) => page.scene.clouds[c].fields[id].at(page.scene.clouds[c].places[i]),
  range: id => rangeOf(fieldOf(id)),
  pick: takeAt,
  clearMarks,
  get picked() { return picked(); },
  get measured() { return measured(); },
};

start().then(() => document.body.classList.add('ready'), error => {
  $('message').textContent = `This page cannot be shown here: ${error.message}. It needs a browser with WebGL 2 of 2023 or later.`;
  console.error(error);
});
