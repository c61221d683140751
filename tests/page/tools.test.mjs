// What is asked of a viewer: picking points, distances, a clip box, named views, orthographic projection, percentiles,
// several clouds, files with attributes; by mouse, keys and touch.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {burnish, camera, file, launch, look, open as openIn, rest, state} from './browser.mjs';

let browser;

/// A square lattice in the plane z = 100, one unit apart, with attributes; row 30 · j + i is at (500000 + i, 4000000 + j).
function writeLattice(name, lift) {
  const lines = ['x,y,z,intensity,classification,gps_time'];
  for (let j = 0; j < 30; ++j) {
    for (let i = 0; i < 30; ++i) {
      lines.push([500000 + i, 4000000 + j, 100 + lift * (i + 1) / 10, 40000 + 30 * j + i, i < 15 ? 2 : 6, 3e8 + 0.25 * i].join());
    }
  }
  writeFileSync(file(name), lines.join('\n') + '\n');
}

before(async () => {
  writeLattice('lattice.csv', 0);
  writeLattice('lifted.csv', 1);
  writeLattice('lifted-more.csv', 2);
  burnish('view', 'lattice.csv', '--out', 'lattice.html', '--unit', 'm', '--elevation', '60');
  burnish('view', 'lattice.csv', 'lifted.csv', 'lifted-more.csv', '--out', 'three.html');
  burnish('view', 'lattice.csv', 'lifted.csv', '--out', 'two.html');
  browser = await launch();
});

after(() => browser?.close());

const open = (t, name, options) => openIn(t, browser, name, options);
const placeOf = (i, j) => [500000 + i, 4000000 + j, 100];
const rowOf = (i, j) => 30 * j + i;

/// Clicks on the picture of a point.
async function click(page, i, j, options) {
  const [x, y] = await page.evaluate(place => window.burnish.project(place), placeOf(i, j));
  await page.locator('#canvas').click({position: {x, y}, ...options});
}

/// Which part of the pixels of a screenshot are not the background, which is that of the corner.
function covered(page, picture) {
  return page.evaluate(async text => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))]));
    const copy = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    copy.drawImage(bitmap, 0, 0);
    const {data} = copy.getImageData(0, 60, bitmap.width, bitmap.height - 180);
    let dark = 0;
    for (let i = 0; i < data.length; i += 4) {
      dark += data[i] < 215 ? 1 : 0;
    }
    return (4 * dark) / data.length;
  }, picture.toString('base64'));
}

test('a click shows the point under it', async t => {
  const page = await open(t, 'lattice.html');
  for (const [i, j] of [[3, 4], [20, 11], [29, 0], [15, 29]]) {
    await click(page, i, j);
    const [found] = await page.evaluate(() => window.burnish.picked);
    assert.equal(found.row, rowOf(i, j));
    placeOf(i, j).forEach((value, axis) => assert.ok(Math.abs(value - found.place[axis]) < 0.01, `${found.place}`));
    const shown = await page.locator('#picked').innerText();
    assert.match(shown, new RegExp(`point\\s+${rowOf(i, j) + 1} of 900`));
    assert.match(shown, new RegExp(`x\\s+${500000 + i}\\.0`));
    assert.match(shown, new RegExp(`intensity\\s+${40000 + rowOf(i, j)}\\b`));
    assert.match(shown, new RegExp(`classification\\s+${i < 15 ? 2 : 6}\\b`));
    assert.match(shown, new RegExp(`gps_time\\s+${String(3e8 + 0.25 * i).replace('.', '\\.')}$`, 'm'));
  }
  // A ring is drawn around it, and follows when the cloud is turned.
  const ring = page.locator('#marks circle');
  const from = await ring.boundingBox();
  await page.screenshot({path: file('picked.png')});
  await page.evaluate(() => window.burnish.turn(0.5, 0));
  await rest(page);
  assert.ok(Math.abs((await ring.boundingBox()).x - from.x) > 5);
  await page.keyboard.press('x');
  assert.ok(!(await page.locator('#picked').isVisible()));
  assert.equal(await ring.count(), 0);
  // Dragging is not picking.
  const box = await page.locator('#canvas').boundingBox();
  await page.mouse.move(box.x + 400, box.y + 350);
  await page.mouse.down();
  await page.mouse.move(box.x + 460, box.y + 350, {steps: 3});
  await page.mouse.up();
  assert.deepEqual(await page.evaluate(() => window.burnish.picked), []);
});

test('the distance of two points, by Shift, by the button, by keys', async t => {
  const page = await open(t, 'lattice.html');
  await click(page, 5, 5);
  await click(page, 8, 9, {modifiers: ['Shift']});
  const {distance, along} = await page.evaluate(() => window.burnish.measured);
  assert.ok(Math.abs(distance - 5) < 0.01, distance);
  assert.ok(Math.abs(along[0] - 3) < 0.01 && Math.abs(along[1] - 4) < 0.01);
  assert.match(await page.locator('#picked').innerText(), /distance\s+5\.0\d* m/);
  assert.match(await page.locator('#marks text').textContent(), /^(5\.00|4\.99)\d* m$/);
  await page.screenshot({path: file('measured.png')});
  await page.locator('#measure').click();
  assert.equal((await state(page)).isMeasuring, true);
  await click(page, 0, 0);
  await click(page, 6, 8);
  assert.ok(Math.abs((await page.evaluate(() => window.burnish.measured)).distance - 10) < 0.01);
  await page.keyboard.press('Escape');
  await page.keyboard.press('i');  // the point in the middle
  const [middle] = await page.evaluate(() => window.burnish.picked);
  const box = await page.locator('#canvas').boundingBox();
  const [x, y] = await page.evaluate(place => window.burnish.project(place), middle.place);
  assert.ok(Math.hypot(x - box.width / 2, y - box.height / 2) < 30);
});

test('points of a moved cloud say how far they moved', async t => {
  const page = await open(t, 'three.html');
  assert.equal((await state(page)).mode, 'grid');
  const views = await page.evaluate(() => window.burnish.views());
  assert.equal(views.length, 3);
  const [left, top, width, height] = views[2];
  await page.locator('#canvas').click({position: {x: left + width / 2, y: top + height / 2}});
  const [found] = await page.evaluate(() => window.burnish.picked);
  assert.equal(found.cloud, 2);
  const lift = found.place[2] - 100;
  const shown = await page.locator('#picked').innerText();
  assert.match(shown, /lifted-more\.csv/);
  const length = Number(shown.match(/Length of the move\s+([\d.]+)/)[1]);
  assert.ok(Math.abs(length - lift) < 0.01 * lift + 0.002, shown);
  await page.screenshot({path: file('three.png')});
  assert.deepEqual(await page.locator('#labels span').allInnerTexts(), ['lattice.csv', 'lifted.csv', 'lifted-more.csv']);
});

test('while swiping, a click takes a point of the cloud on that side', async t => {
  const page = await open(t, 'two.html');
  assert.equal((await state(page)).mode, 'swipe');
  await page.locator('#view-top').click();
  await page.locator('#orthographic').check();  // from above, points of both clouds are at the same places
  for (const slider of [0.2, 0.8]) {
    await page.evaluate(value => window.burnish.set({slider: value}), slider);
    const {width} = await page.locator('#canvas').boundingBox();
    for (const i of [10, 19]) {
      await click(page, i, 15);
      const [x] = await page.evaluate(place => window.burnish.project(place), placeOf(i, 15));
      const [found] = await page.evaluate(() => window.burnish.picked);
      assert.equal(found.cloud, x < slider * width ? 0 : 1);
      assert.equal(found.row, rowOf(i, 15));
      assert.ok(Math.abs(found.place[2] - 100 - found.cloud * (i + 1) / 10) < 0.01, `${found.place}`);
    }
  }
});

test('the clip box hides what is outside, from the eye and from the pointer', async t => {
  const page = await open(t, 'lattice.html');
  const all = await covered(page, await look(page));
  await page.locator('#clip summary').click();
  await page.locator('#clip-x-to').fill('0.5');
  const half = await covered(page, await look(page));
  assert.ok(Math.abs(half / all - 0.5) < 0.06, `${half} of ${all}`);
  await page.screenshot({path: file('clipped.png')});
  await click(page, 25, 15);
  assert.deepEqual(await page.evaluate(() => window.burnish.picked), []);
  await click(page, 5, 15);
  assert.equal((await page.evaluate(() => window.burnish.picked))[0].row, rowOf(5, 15));
  await page.keyboard.press('x');
  await page.locator('#clip-x-from').fill('0.8');  // pushes the other end
  assert.deepEqual((await state(page)).clip, [0.8, 0.8, 0, 1, 0, 1]);
  await page.locator('#clip-reset').click();
  assert.ok(Math.abs((await covered(page, await look(page))) / all - 1) < 0.01);
});

test('top, front and side; orthographic', async t => {
  const page = await open(t, 'lattice.html');
  const direction = async () => {
    const place = await camera(page);
    const length = Math.hypot(...place);
    return place.map(v => Math.round(v / length) + 0);
  };
  for (const [name, expected] of [['top', [0, 0, 1]], ['front', [0, -1, 0]], ['side', [1, 0, 0]]]) {
    await page.locator(`#view-${name}`).click();
    assert.deepEqual(await direction(), expected, name);
  }
  // From above, x goes right and y up; without perspective the lattice is a lattice of equal steps from anywhere.
  const project = (i, j) => page.evaluate(place => window.burnish.project(place), placeOf(i, j));
  await page.locator('#view-top').click();
  const [origin, right, up] = [await project(0, 0), await project(29, 0), await project(0, 29)];
  assert.ok(right[0] > origin[0] + 100 && Math.abs(right[1] - origin[1]) < 1, `${origin} ${right}`);
  assert.ok(up[1] < origin[1] - 100 && Math.abs(up[0] - origin[0]) < 1);
  await page.locator('#view-start').click();
  const steps = async () => {
    const [a, b, c, d] = [await project(0, 0), await project(0, 10), await project(0, 19), await project(0, 29)];
    return Math.hypot(d[0] - c[0], d[1] - c[1]) / Math.hypot(b[0] - a[0], b[1] - a[1]);
  };
  assert.ok((await steps()) < 0.93, 'with perspective, what is far is smaller');
  const before = await look(page);
  await page.locator('#orthographic').check();
  assert.ok(Math.abs((await steps()) - 1) < 1e-3);
  assert.ok(!before.equals(await look(page)));
  // What is drawn is where it is taken to be: picking finds it.
  await click(page, 27, 3);
  assert.equal((await page.evaluate(() => window.burnish.picked))[0].row, rowOf(27, 3));
  await page.screenshot({path: file('orthographic.png')});
});

test('attributes of the file, with a range by percentiles', async t => {
  const page = await open(t, 'lattice.html');
  const options = await page.locator('#colour option').allInnerTexts();
  for (const name of ['intensity', 'classification', 'gps_time']) {
    assert.ok(options.includes(name), `${options}`);
  }
  await page.locator('#colour').selectOption({label: 'intensity'});
  await page.locator('#low').fill('10');
  await page.locator('#high').fill('90');
  await page.locator('#high').press('Enter');
  const [low, high] = await page.evaluate(() => window.burnish.range('attribute intensity'));
  assert.ok(Math.abs(low - 40090) < 2 && Math.abs(high - 40809) < 2, `${low} ${high}`);
  assert.match(await page.locator('#legend').innerText(), /intensity[\s\S]*≤ 40100[\s\S]*≥ 40800/);
  assert.match(await page.locator('#histogram-caption').innerText(), /^(19\.\d+|20(\.\d)?) %/);
  const some = await look(page);
  await page.locator('#low').fill('');
  await page.locator('#low').press('Enter');
  await page.locator('#high').fill('20');
  await page.locator('#high').press('Enter');
  assert.ok(!some.equals(await look(page)));
  await page.screenshot({path: file('attribute.png')});
  // Times of 300,000,000 s that differ by a quarter of a second.
  const times = await page.evaluate(() => [0, 1, 2].map(i => window.burnish.value(0, 'attribute gps_time', i)));
  times.forEach(time => assert.ok(Math.abs(4 * time - Math.round(4 * time)) < 1e-3, `${time}`));
});

test('as many points while turning as one asks for, and the count is shown', async t => {
  // More than are drawn by itself while turning, at first.
  const lines = Array.from({length: 300000}, (_, i) => `${i % 600},${Math.floor(i / 600)},0`);
  writeFileSync(file('wide.csv'), `x,y,z\n${lines.join('\n')}\n`);
  burnish('view', 'wide.csv', '--out', 'wide.html');
  const page = await open(t, 'wide.html');
  for (const [label, expected] of [['250,000', 250000 / 300000], ['all', 1]]) {
    await page.locator('#budget').selectOption({label});
    const details = await page.evaluate(async () => {
      const seen = [];
      window.burnish.onFrame = () => seen.push(window.burnish.detail);
      for (let i = 0; i < 3; ++i) {
        const {drawn} = window.burnish;
        window.burnish.turn(0.05, 0);
        while (window.burnish.drawn === drawn) {
          await new Promise(done => requestAnimationFrame(done));
        }
      }
      window.burnish.onFrame = null;
      return seen;
    });
    assert.ok(details.some(detail => detail === expected), `${label}: ${details}`);
    assert.ok(details.every(detail => detail === expected || detail === 1), `${label}: ${details}`);
  }
  await rest(page);
  assert.equal(await page.locator('#drawn').innerText(), '300,000 points');
});

test('is shown inside a frame, as notebooks do', async t => {
  const text = readFileSync(file('lattice.html'), 'utf8').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  writeFileSync(file('notebook.html'), `<!doctype html><body class="ready"><iframe srcdoc="${text}" style="width: 900px; height: 600px"></iframe>`);
  const page = await open(t, 'notebook.html');
  const frame = page.frameLocator('iframe');
  await frame.locator('body.ready').waitFor();
  assert.equal(await frame.locator('#drawn').innerText(), '900 points');
  await frame.locator('#canvas').click({position: {x: 300, y: 280}});
  await frame.locator('#picked').waitFor();
});

test('a tap picks and measures', async t => {
  const page = await open(t, 'lattice.html', {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, deviceScaleFactor: 2});
  const box = await page.locator('#canvas').boundingBox();
  const tap = async (i, j) => {
    const [x, y] = await page.evaluate(place => window.burnish.project(place), placeOf(i, j));
    await page.touchscreen.tap(box.x + x, box.y + y);
  };
  await tap(28, 2);
  assert.equal((await page.evaluate(() => window.burnish.picked))[0].row, rowOf(28, 2));
  await page.evaluate(() => window.burnish.set({isMeasuring: true}));
  await page.evaluate(() => window.burnish.clearMarks());
  await tap(28, 2);
  await tap(28, 6);
  assert.ok(Math.abs((await page.evaluate(() => window.burnish.measured)).distance - 4) < 0.01);
  await page.screenshot({path: file('phone-measured.png')});
});

test('how many points are drawn can be read over a dark cloud', async t => {
  const page = await open(t, 'lattice.html');
  await rest(page);
  // What lies behind the words shines through by less than a fifth.
  const alpha = await page.evaluate(() => {
    const copy = new OffscreenCanvas(1, 1).getContext('2d');
    copy.fillStyle = getComputedStyle(document.getElementById('drawn')).backgroundColor;
    copy.fillRect(0, 0, 1, 1);
    return copy.getImageData(0, 0, 1, 1).data[3] / 255;
  });
  assert.ok(alpha > 0.8, `${alpha}`);
});
