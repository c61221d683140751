// A browser for the tests of the page, opened as a user does: a file, no network.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const folder = resolve(process.env.PAGE_TEST_FOLDER);
const {chromium} = createRequire(join(folder, 'package.json'))('playwright-core');
mkdirSync(folder, {recursive: true});

export const file = name => join(folder, name);
export const burnish = (...args) => execFileSync(process.env.BURNISH, args, {cwd: folder, stdio: ['ignore', 'pipe', 'ignore']}).toString();

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});

/// Opens a page without a network. Warnings on the console, requests to other places and dialogs are failures.
export async function open(t, browser, name, options = {}) {
  const context = await browser.newContext({viewport: {width: 1200, height: 760}, offline: true, ...options});
  const page = await context.newPage();
  page.setDefaultTimeout(90000);  // CI may share its cores
  const complaints = [];
  page.on('console', message => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('dialog', dialog => complaints.push(`dialog ${dialog.message()}`));
  page.on('request', request => /^(file|blob|data):/.test(request.url()) || complaints.push(request.url()));
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  await page.goto(pathToFileURL(file(name)).href);
  await page.waitForSelector('body.ready', {timeout: 90000});
  return page;
}

/// Waits until the picture is at rest.
export async function rest(page) {
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForFunction(() => window.burnish.rests);
}

/// The stage as it is seen once it is at rest, a PNG.
export async function look(page) {
  await rest(page);
  return page.locator('#canvas').screenshot();
}

export const state = page => page.evaluate(() => ({...window.burnish.state}));
export const camera = page => page.evaluate(() => window.burnish.camera.position.toArray());
