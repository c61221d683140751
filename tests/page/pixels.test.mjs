// What a person sees: pixels of the stage, at rest from screenshots and while it is turned by the mouse. The cloud before
// is a red sphere, the one after a smaller blue one, so that every pixel says which cloud it is from; what lies over the
// picture (divider, labels, slider) has neither colour, and the strip around the divider is not looked at.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {burnish, file, launch, open, rest} from './browser.mjs';

const smaller = 0.6;  // radius of the cloud after, that of the cloud before is 1
let browser;

/// A sphere of one colour, its points evenly spread.
function writeSphere(name, count, radius, colour) {
  const header = `ply\nformat binary_little_endian 1.0\nelement vertex ${count}\nproperty float x\nproperty float y\n` +
                 'property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n';
  const body = Buffer.alloc(15 * count);
  for (let i = 0; i < count; ++i) {
    const [height, angle] = [1 - (2 * i + 1) / count, i * 2.399963229728653];
    const around = Math.sqrt(1 - height * height);
    [around * Math.cos(angle), around * Math.sin(angle), height].forEach((v, axis) => body.writeFloatLE(radius * v, 15 * i + 4 * axis));
    colour.forEach((value, c) => body.writeUInt8(value, 15 * i + 12 + c));
  }
  writeFileSync(file(name), Buffer.concat([Buffer.from(header), body]));
}

before(async () => {
  for (const [size, count] of [['small', 3000], ['large', 150000]]) {
    writeSphere(`${size}-red.ply`, count, 1, [255, 0, 0]);
    writeSphere(`${size}-blue.ply`, count, smaller, [0, 0, 255]);
    burnish('view', `${size}-red.ply`, `${size}-blue.ply`, '--out', `${size}.html`);
  }
  browser = await launch();
});

after(() => browser?.close());

/// Runs in the browser: red and blue pixels of an image, as parts of a rectangle (in CSS pixels of the stage), and how
/// wide what has that colour is.
const countPixels = `(data, width, scale, [left, top, w, h]) => {
  const ends = {red: [Infinity, -Infinity], blue: [Infinity, -Infinity]};
  const counts = {red: 0, blue: 0};
  const [x0, y0, x1, y1] = [left, top, left + w, top + h].map(v => Math.round(v * scale));
  for (let y = y0; y < y1; ++y) {
    for (let x = x0; x < x1; ++x) {
      const [r, g, b] = data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3);
      const name = r > 40 && r > 2 * b && r > 2 * g ? 'red' : b > 40 && b > 2 * r && b > 2 * g ? 'blue' : null;
      if (name) {
        ++counts[name];
        ends[name] = [Math.min(ends[name][0], x), Math.max(ends[name][1], x)];
      }
    }
  }
  const whole = (x1 - x0) * (y1 - y0);
  const extent = ([low, high]) => Math.max(0, high - low + 1) / scale;
  return {red: counts.red / whole, blue: counts.blue / whole, redWidth: extent(ends.red), blueWidth: extent(ends.blue)};
}`;

/// What is in rectangles of the stage at rest, from a screenshot of all that a person sees.
async function seenAtRest(page, rectangles) {
  await rest(page);
  assert.equal(await page.evaluate(() => window.burnish.detail), 1);
  const picture = (await page.locator('#canvas').screenshot()).toString('base64');
  return page.evaluate(async ([text, areas]) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))]));
    const copy = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    copy.drawImage(bitmap, 0, 0);
    const {data, width} = copy.getImageData(0, 0, bitmap.width, bitmap.height);
    return areas.map(area => window.countPixels(data, width, bitmap.width / canvas.clientWidth, area));
  }, [picture, rectangles]);
}

/// The same while the mouse turns the clouds: every frame is looked at in the moment it is drawn; the result has one
/// entry a frame.
async function seenWhileTurning(page, rectangles) {
  await page.evaluate(areas => {
    window.seen = [];
    window.burnish.onFrame = () => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
      copy.drawImage(canvas, 0, 0);
      const {data, width} = copy.getImageData(0, 0, canvas.width, canvas.height);
      window.seen.push(areas.map(area => window.countPixels(data, width, canvas.width / canvas.clientWidth, area)));
    };
  }, rectangles);
  const box = await page.locator('#canvas').boundingBox();
  const [x, y] = [box.x + 0.25 * box.width, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= 40 && (await page.evaluate(() => window.seen.length)) < 6; ++i) {
    await page.mouse.move(x + 10 * i, y + 3 * i);
  }
  await page.mouse.up();
  const seen = await page.evaluate(() => ((window.burnish.onFrame = null), window.seen));
  assert.ok(seen.length >= 3, `only ${seen.length} frames`);
  return seen;
}

/// A page coloured by the colours of the files.
async function openColoured(t, name) {
  const page = await open(t, browser, name);
  await page.evaluate(`window.countPixels = ${countPixels}`);
  await page.locator('#colour').selectOption('original');
  return page;
}

const only = (seen, colour, other, where) => {
  assert.ok(seen[colour] > 0.03, `${where}: hardly any ${colour}: ${JSON.stringify(seen)}`);
  assert.ok(seen[other] < 1e-4, `${where}: some ${other}: ${JSON.stringify(seen)}`);
};

for (const size of ['small', 'large']) {
  test(`each cloud is on its side of the divider, ${size}`, async t => {
    const page = await openColoured(t, `${size}.html`);
    const {width, height} = await page.locator('#canvas').boundingBox();
    for (const slider of [0.5, 0.42, 0.54]) {
      await page.evaluate(value => window.burnish.set({slider: value}), slider);
      const at = slider * width;
      const sides = [[0, 0, at - 20, height], [at + 20, 0, width - at - 20, height]];
      const check = ([left, right], when) => {
        only(left, 'red', 'blue', `left, ${when}, slider ${slider}`);
        only(right, 'blue', 'red', `right, ${when}, slider ${slider}`);
      };
      const still = await seenAtRest(page, sides);
      check(still, 'at rest');
      if (slider === 0.5) {
        const ratio = still[1].blueWidth / still[0].redWidth;
        assert.ok(Math.abs(ratio - smaller) < 0.06, `the cloud after is ${ratio} as wide as the one before`);
        await page.screenshot({path: file(`swipe-${size}.png`)});
      }
      (await seenWhileTurning(page, sides)).forEach(seen => check(seen, 'turning'));
      check(await seenAtRest(page, sides), 'at rest after turning');
    }
  });

  test(`morphing goes from one shape to the other, ${size}`, async t => {
    const page = await openColoured(t, `${size}.html`);
    await page.getByRole('radio', {name: 'Morph'}).click();
    const {width, height} = await page.locator('#canvas').boundingBox();
    const all = [[0, 0, width, height]];
    const widthAt = async slider => {
      await page.evaluate(value => window.burnish.set({slider: value}), slider);
      const [still] = await seenAtRest(page, all);
      only(still, 'blue', 'red', `slider ${slider}`);
      (await seenWhileTurning(page, all)).forEach(([seen]) => {
        assert.ok(Math.abs(seen.blueWidth / still.blueWidth - 1) < 0.1, `turning: ${seen.blueWidth}, at rest: ${still.blueWidth}`);
      });
      return still.blueWidth;
    };
    const [start, middle, end] = [await widthAt(0), await widthAt(0.5), await widthAt(1)];
    assert.ok(Math.abs(end / start - smaller) < 0.05, `${start} to ${end}`);
    assert.ok(Math.abs(middle / start - (1 + smaller) / 2) < 0.05, `${start}, ${middle}, ${end}`);
  });

  test(`side by side each cloud has its view, ${size}`, async t => {
    const page = await openColoured(t, `${size}.html`);
    await page.getByRole('radio', {name: 'Side by side'}).click();
    const views = await page.evaluate(() => window.burnish.views());
    const check = ([first, second], when) => {
      only(first, 'red', 'blue', `first view, ${when}`);
      only(second, 'blue', 'red', `second view, ${when}`);
      const ratio = second.blueWidth / first.redWidth;
      assert.ok(Math.abs(ratio - smaller) < 0.06, `${when}: ${ratio}`);
    };
    check(await seenAtRest(page, views), 'at rest');
    (await seenWhileTurning(page, views)).forEach(seen => check(seen, 'turning'));
  });
}
