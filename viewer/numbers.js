// The table of numbers: a column a cloud.

const wordsFor = name => name.replaceAll('_', ' ');

export function drawNumbers(table, meanings, clouds) {
  const whole = new Intl.NumberFormat('en');
  const meaningOf = new Map();
  const rows = new Map();
  const put = (c, name, value, meaning) => {
    if (!rows.has(name)) {
      rows.set(name, clouds.map(() => ''));
    }
    rows.get(name)[c] = value;
    if (meaning) {
      meaningOf.set(name, meaning);
    }
  };
  clouds.forEach((cloud, c) => {
    put(c, 'points', whole.format(cloud.points));
    if (cloud.notFinite > 0) {
      put(c, 'not finite', whole.format(cloud.notFinite), 'points without a place, left out');
    }
    if (cloud.shown + cloud.notFinite < cloud.points) {
      put(c, 'points shown', whole.format(cloud.shown), 'the cloud is thinned for the page; all other numbers but moves are of all points');
    }
    cloud.facts.forEach(({name, value, meaning}) => put(c, name, value, meaning));
  });

  const cell = (name, text, scope) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (scope) {
      made.scope = scope;
    }
    return made;
  };
  const row = cells => {
    const made = document.createElement('tr');
    made.append(...cells);
    return made;
  };
  const head = document.createElement('thead');
  head.append(row([cell('td', ''), ...clouds.map(cloud => cell('th', cloud.name, 'col'))]));
  const body = document.createElement('tbody');
  for (const [name, values] of rows) {
    body.append(row([cell('th', wordsFor(name), 'row'), ...values.map(value => cell('td', value))]));
  }
  table.replaceChildren(head, body);
  meanings.querySelector('dl').replaceChildren(
      ...[...meaningOf].flatMap(([name, meaning]) => [cell('dt', wordsFor(name)), cell('dd', meaning)]));
}
