// Takes the pictures of docs/view.md into the folder PICTURES: made clouds, the page as it is first seen, a distance
// between two points; and several results side by side. Run by `./run gallery`, with the variables of the tests.
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {burnish, file, launch, rest} from './browser.mjs';

const methods = ['auto', 'mls', 'bilateral'];
const results = methods.map(method => `${method}.ply`);
burnish('synth', 'part', 'clean.ply', '--points', '60000');
burnish('noise', 'clean.ply', 'noisy.ply', '--sigma', '0.003', '--unit', 'diameter');
methods.forEach((method, i) => burnish('denoise', 'noisy.ply', results[i], '--method', method));
burnish('view', 'noisy.ply', results[0], '--truth', 'part', '--out', 'pair.html');
burnish('view', 'noisy.ply', ...results, '--truth', 'part', '--out', 'several.html');

const browser = await launch();
const page = await browser.newPage({viewport: {width: 1280, height: 760}, colorScheme: 'light'});

async function take(name, html, prepare) {
  await page.goto(pathToFileURL(file(html)).href);
  await page.waitForSelector('body.ready', {timeout: 90000});
  await prepare();
  await page.evaluate(() => document.activeElement.blur());
  await rest(page);
  await page.screenshot({path: join(process.env.PICTURES, name)});
}

await take('view-swipe.png', 'pair.html', async () => {
  await page.evaluate(() => window.burnish.set({slider: 0.47}));
  await rest(page);
  await page.mouse.click(557, 397);
  await page.keyboard.down('Shift');
  await page.mouse.click(652, 591);
  await page.keyboard.up('Shift');
});
await take('view-side-by-side.png', 'several.html', async () => {
  await page.keyboard.press('p');
  await page.locator('#colour').evaluate(select => {
    select.value = 'truth';
    select.dispatchEvent(new Event('change'));
  });
});
await browser.close();
