// node build.mjs OUT: makes the page that `burnish view` fills in, one HTML file with style and script inside.
// Its content security policy names the two by their hash: nothing else runs, and nothing is fetched.
import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createRequire} from 'node:module';

// Packages are installed beside the output, not beside the sources.
const [out, modules] = process.argv.slice(2);
const esbuild = createRequire(join(modules, 'package.json'))('esbuild');
const here = dirname(fileURLToPath(import.meta.url));

async function bundle(file) {
  const result = await esbuild.build({
    entryPoints: [join(here, file)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022'],
    legalComments: 'inline',
    nodePaths: [join(modules, 'node_modules')],
    write: false,
  });
  // An element cannot hold its own end.
  return result.outputFiles[0].text.replaceAll('</script', '<\\/script').replaceAll('</style', '<\\/style').trim();
}

const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const style = await bundle('style.css');
const script = await bundle('main.js');
const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; img-src data: blob:`;
const parts = {policy, style, script};
const page = readFileSync(join(here, 'page.html'), 'utf8');
writeFileSync(out, page.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]));
