// Reads a file with a reader of npm's, for formats_test.py: node --experimental-wasm-modules read.mjs HOW FILE OUT
//   laz     the point records, decompressed by laz-perf, one after the other
//   copc    a JSON object: the names of all dimensions, X, Y and Z first, and the nodes of the octree with the values
//           of their points, by copc
//   e57     x, y, z and colours, if any, of all points as text, by web-e57
//   time    seconds of processor time that laz-perf takes for the points of FILE, printed
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [how, file, out] = process.argv.slice(2);
const installed = createRequire(`${process.env.BURNISH_PEERS}/node/package.json`);

async function decompress(use) {
  const { createLazPerf } = installed("laz-perf");
  const library = await createLazPerf();
  const bytes = readFileSync(file);
  const compressed = library._malloc(bytes.length);
  library.HEAPU8.set(bytes, compressed);
  const laszip = new library.LASZip();
  laszip.open(compressed, bytes.length);
  const size = laszip.getPointLength();
  const point = library._malloc(size);
  for (let i = 0; i < laszip.getCount(); ++i) {
    laszip.getPoint(point);
    use(library, point, size, i, laszip.getCount());
  }
}

if (how === "laz") {
  let records;
  await decompress((library, point, size, i, count) => {
    records ??= new Uint8Array(size * count);
    records.set(library.HEAPU8.subarray(point, point + size), i * size);
  });
  writeFileSync(out, records ?? new Uint8Array());
} else if (how === "time") {
  const start = process.cpuUsage();
  await decompress(() => {});
  console.log(process.cpuUsage(start).user / 1e6);
} else if (how === "copc") {
  const { Copc } = installed("copc");
  const copc = await Copc.create(file);
  const nodes = {};
  let dimensions = [];
  const visit = async (page) => {
    const hierarchy = await Copc.loadHierarchyPage(file, page);
    for (const below of Object.values(hierarchy.pages)) await visit(below);
    for (const [key, node] of Object.entries(hierarchy.nodes)) {
      if (node.pointCount === 0) continue;
      const view = await Copc.loadPointDataView(file, copc, node);
      dimensions = Object.keys(view.dimensions);
      const getters = dimensions.map((name) => view.getter(name));
      nodes[key] = Array.from({ length: view.pointCount }, (_, i) => getters.map((get) => get(i)));
    }
  };
  await visit(copc.info.rootHierarchyPage);
  writeFileSync(out, JSON.stringify({ info: copc.info, points: copc.header.pointCount, dimensions, nodes }));
} else if (how === "e57") {
  const { convertE57 } = await import(`${process.env.BURNISH_PEERS}/node/node_modules/web-e57/e57.js`);
  writeFileSync(out, convertE57(new Uint8Array(readFileSync(file)), "XYZ"));
} else {
  throw new Error(`unknown: ${how}`);
}
