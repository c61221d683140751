// Reads the scene that the program put into the page; src/view/page.cpp is the other end.

async function inflate(base64) {
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(base64) :
                                        Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const unpacked = new Map();  // clouds share blocks where they hold the same

/// The whole numbers of a block, one array a component: byte planes, lowest first, of differences.
function unpack(packed) {
  if (!unpacked.has(packed.block)) {
    unpacked.set(packed.block, readBlock(packed));
  }
  return unpacked.get(packed.block);
}

async function readBlock({block, components, bytes}) {
  const element = document.getElementById(`block-${block}`);
  const planes = await inflate(element.textContent);
  element.remove();  // the text is not needed any more and may be large
  const points = planes.length / (components * bytes);
  const mask = 2 ** (8 * bytes) - 1;
  const Values = bytes === 1 ? Uint8Array : bytes === 2 ? Uint16Array : Uint32Array;
  const result = [];
  for (let c = 0; c < components; ++c) {
    const values = new Values(points);
    let value = 0;
    for (let i = 0; i < points; ++i) {
      let difference = 0;
      for (let b = 0; b < bytes; ++b) {
        difference |= planes[(c * bytes + b) * points + i] << (8 * b);
      }
      value = (value + difference) & mask;
      values[i] = value;
    }
    result.push(values);
  }
  return result;
}

/// The values of a field at the points of a cloud, as codes: 0 for none, otherwise steps from the lowest value or, for
/// what is measured, the signed square root of a part of the largest.
class FieldValues {
  constructor(codes, {largest, low, step}) {
    Object.assign(this, {codes, largest, low, step});
  }
  get length() {
    return this.codes.length;
  }
  /// NaN where there is no value.
  at(i) {
    const code = this.codes[i];
    if (code === 0) {
      return NaN;
    }
    if (this.largest === undefined) {
      return this.low + this.step * (code - 1);
    }
    const root = (code - 32768) / 32767;
    return Math.sign(root) * root * root * this.largest;
  }
  /// As floats relative to an origin, NaN as a number far beyond any.
  floats(origin) {
    const result = new Float32Array(this.length);
    for (let i = 0; i < result.length; ++i) {
      const value = this.at(i) - origin;
      result[i] = Number.isNaN(value) ? 2e30 : value;
    }
    return result;
  }
}

/// Where point i goes, so that any first part of the points is spread evenly: drawing fewer of them, while turning a
/// large cloud, then shows the whole of it.
export function spread(count) {
  const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));
  let stride = Math.max(1, Math.floor(count * 0.6180339887));
  while (divisor(count, stride) !== 1) {
    ++stride;
  }
  const places = new Uint32Array(count);
  for (let k = 0, i = 0; k < count; ++k, i = (i + stride) % count) {
    places[i] = k;
  }
  return places;
}

async function readCloud(json, scene) {
  const count = json.shown;
  const places = spread(count);
  const [x, y, z] = await unpack(json.positions);
  const positions = new Float32Array(3 * count);
  const offset = scene.box.min.map((low, axis) => low - scene.centre[axis]);
  for (let i = 0; i < count; ++i) {
    const at = 3 * places[i];
    positions[at] = (x[i] * json.positions.step + offset[0]) / scene.radius;
    positions[at + 1] = (y[i] * json.positions.step + offset[1]) / scene.radius;
    positions[at + 2] = (z[i] * json.positions.step + offset[2]) / scene.radius;
  }
  const bytesOfFour = async packed => {
    const components = await unpack(packed);
    const bytes = new Uint8Array(4 * count);
    components.forEach((values, c) => values.forEach((value, i) => (bytes[4 * places[i] + c] = value)));
    return bytes;
  };
  const spreadOut = codes => {
    const result = new codes.constructor(count);
    for (let i = 0; i < count; ++i) {
      result[places[i]] = codes[i];
    }
    return result;
  };
  const fields = {};
  for (const [id, packed] of Object.entries(json.fields)) {
    fields[id] = new FieldValues(spreadOut((await unpack(packed))[0]), packed);
  }
  return {
    ...json,
    places,
    positions,
    rows: spreadOut((await unpack(json.rows))[0]),
    fields,
    spacing: json.spacing / scene.radius,
    normals: await bytesOfFour(json.normals),
    colours: json.colours ? await bytesOfFour(json.colours) : null,
  };
}

/// The scene with its clouds unpacked. Coordinates on the page are relative to `centre`, in units of `radius`.
export async function readScene() {
  const json = JSON.parse(document.getElementById('scene').textContent);
  const {min, max} = json.box;
  const centre = min.map((low, axis) => (low + max[axis]) / 2);
  const radius = Math.hypot(...min.map((low, axis) => max[axis] - low)) / 2 || 1;
  const scene = {...json, centre, radius};
  scene.clouds = [];
  for (const cloud of json.clouds) {
    scene.clouds.push(await readCloud(cloud, scene));
  }
  scene.step = Math.min(...json.clouds.map(cloud => cloud.positions.step));
  unpacked.clear();
  return scene;
}
