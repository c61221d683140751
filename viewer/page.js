// What the parts of the page share: its state, and what that is the state of.

/// The element with an id.
export const $ = id => document.getElementById(id);

/// What is shown follows from this alone.
export const state = {
  mode: 'grid',
  a: 0,  // the cloud before, by number
  b: 0,  // the cloud after
  slider: 0.5,
  colour: 'plain',
  low: null,  // percentiles of the values where colours begin and end; null for the field's own range
  high: null,
  size: 0,
  up: 'z',
  theme: 'auto',
  isOrthographic: false,
  clip: [0, 1, 0, 1, 0, 1],  // the part of the bounding box that is shown: from and to along x, y, z
  isMeasuring: false,
  budget: 0,  // points to draw while turning; 0 for as many as there is time for
};

/// The scene, its clouds on the graphics card, the stage, and when it is drawn; there once the page has started.
export const page = {scene: null, clouds: [], stage: null, frames: null, maps: null};

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
export const whole = new Intl.NumberFormat('en');
export const fieldOf = id => page.scene.fields.find(field => field.id === id);

/// Whether two clouds hold the same points, so that one can morph into the other.
export const comparable = (a, b) => a !== b && [a, b].every(c => c === 0 || page.scene.clouds[c].followsFirst);

/// A new element with text in it.
export function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text ?? '';
  made.className = className ?? '';
  return made;
}

/// A new element of SVG.
export function svgElement(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}
