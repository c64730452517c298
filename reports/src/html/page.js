'use strict';
// The table of variants and their pages, from what is packed in this file. Rows are made of text; pages were made,
// and everything in them escaped, by the program that wrote this file.
(() => {
  const SHOWN = 200;
  const get = id => document.getElementById(id);
  const [front, page, body, filter, shown, more, causes, find] =
    ['front', 'variant', 'variants', 'filter', 'shown', 'more', 'causes', 'find'].map(get);
  // What filters the table, by its name in the address.
  const fields = { is: get('instruction'), q: filter, result: get('status'), cause: get('cause') };
  const headings = [...body.tHead.rows[0].cells];
  const title = document.title;
  const parts = new Map();
  let rows = [], order = null, all = false;

  const unpacked = async id => {
    const bytes = Uint8Array.from(atob(get(id).textContent), letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Response(stream).json();
  };
  const part = number => {
    if (!parts.has(number)) parts.set(number, unpacked('part' + number));
    return parts.get(number);
  };
  const cell = (row, text, is_number) => {
    const cell = row.insertCell();
    cell.textContent = text;
    if (is_number) cell.className = 'number';
    return cell;
  };
  const number = value => value.toLocaleString('en');
  const ulps = value => value === null ? '' : value === 'inf' ? 'infinite' : value.toPrecision(4).replace('e+', 'e');

  // `.fma.rn.f16.` of `fma.rn.f16`: a part of it stands between two dots.
  const dotted = text => `.${text.toLowerCase().split(/[^a-z0-9_]+/).filter(part => part).join('.')}.`;
  const words = () => filter.value.toLowerCase().split(/\s+/).filter(word => word).map(word => {
    const whole = dotted(word);
    const has = whole.length > 2 && rows.some(row => row.parts.includes(whole));
    return row => has ? row.parts.includes(whole) : row.text.includes(word);
  });
  // What has no number is last, either way.
  const before = (a, b, down) => a === null || b === null ? (a === null) - (b === null)
    : (down ? -1 : 1) * (a < b ? -1 : a > b ? 1 : 0);

  const fill = () => {
    const wanted = words();
    const { is, result, cause } = fields;
    const found = rows.filter(row =>
      (!is.value || row.is === is.value) &&
      (!result.value || row[1] === result.value) &&
      (!cause.value || row[7].includes(Number(cause.value))) &&
      wanted.every(has => has(row)));
    if (order) {
      const of = row => row[order.column] === 'inf' ? Infinity : row[order.column];
      found.sort((a, b) => before(of(a), of(b), order.down));
    }
    const some = all ? found : found.slice(0, SHOWN);
    const fresh = document.createElement('tbody');
    for (const row of some) {
      const line = fresh.insertRow();
      const name = line.insertCell();
      if (row[6]) {
        const link = name.appendChild(document.createElement('a'));
        link.href = '#/' + encodeURIComponent(row[0]);
        link.textContent = row[0];
      } else {
        name.textContent = row[0];
      }
      cell(line, row[1]).className = { agrees: 'pass', disagrees: 'fail' }[row[1]] ?? row[1];
      cell(line, number(row[2]), true);
      cell(line, number(row[3]), true);
      cell(line, ulps(row[4]), true);
      cell(line, row[5]);
    }
    body.tBodies[0].replaceWith(fresh);
    headings.forEach((heading, at) => mark(heading, order?.column === at ? order : null));
    more.hidden = some.length === found.length;
    more.textContent = `Show all ${number(found.length)}`;
    shown.textContent = `${number(found.length)} of ${number(rows.length)} variants` +
      (more.hidden ? '' : `, the first ${SHOWN} shown`);
  };
  const mark = (heading, order) => {
    if (order) heading.setAttribute('aria-sort', order.down ? 'descending' : 'ascending');
    else heading.removeAttribute('aria-sort');
  };

  // What is filtered and sorted stands in the address, `#is=fma&q=f16&sort=-3`, and changes it without a new entry in
  // the history; `#/VARIANT` is the page of a variant, and the name of an element its place on the front page.
  const changed = () => {
    fill();
    const asked = new URLSearchParams();
    for (const [name, field] of Object.entries(fields)) if (field.value) asked.set(name, field.value);
    if (order) asked.set('sort', (order.down ? '-' : '') + order.column);
    if (all) asked.set('all', '1');
    history.replaceState(history.state, '', '#' + asked);
  };
  const take = place => {
    const asked = new URLSearchParams(place);
    for (const [name, field] of Object.entries(fields)) field.value = asked.get(name) ?? '';
    // An option that there is not is none.
    for (const field of Object.values(fields)) if (field.selectedIndex === -1) field.value = '';
    const column = Math.abs(asked.get('sort') ?? NaN);
    order = column < headings.length && Number.isInteger(column) ? { column, down: asked.get('sort').startsWith('-') } : null;
    all = asked.has('all');
    fill();
    return [...asked].length > 0;
  };
  const decoded = text => {
    try { return decodeURIComponent(text); } catch { return text; }
  };

  const go = async () => {
    const place = location.hash.slice(1);
    const named = place.startsWith('/') ? decoded(place.slice(1)) : null;
    const row = named === null ? undefined : rows.find(row => row[0] === named);
    const opened = row?.[6];
    if (opened) page.innerHTML = (await part(opened[0]))[opened[1]];
    page.hidden = !opened;
    front.hidden = !!opened;
    document.title = opened ? `${named} – ${title}` : title;
    const y = history.state?.y;
    const target = place && !opened && front.contains(get(place)) ? get(place) : null;
    if (opened) {
      page.focus({ preventScroll: true });
      scrollTo(0, y ?? 0);
    } else if (target) {
      target.scrollIntoView();
      target.focus({ preventScroll: true });
      // The table is as it was left.
      if (target === filter || place === 'all') changed();
    } else {
      const is_filtered = take(named === null ? place : new URLSearchParams({ q: named }));
      if (y === undefined && is_filtered) get('all').scrollIntoView();
      else scrollTo(0, y ?? 0);
    }
  };

  // Whoever comes back finds the page where it was left.
  history.scrollRestoration = 'manual';
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.hash === location.hash) {
      // It is no change of the address, but asked for all the same.
      event.preventDefault();
      history.replaceState(null, '');
      go();
    } else {
      history.replaceState({ y: scrollY }, '');
    }
  });
  document.querySelectorAll('form').forEach(form => form.addEventListener('submit', event => event.preventDefault()));
  for (const field of Object.values(fields)) field.addEventListener('input', () => { all = false; changed(); });
  more.addEventListener('click', () => { all = true; changed(); });
  headings.forEach((heading, column) => heading.firstChild.addEventListener('click', () => {
    order = { column, down: order?.column === column ? !order.down : column > 1 && column < 5 };
    changed();
  }));
  addEventListener('hashchange', go);

  // The causes are there without a script, in the order of their mismatches.
  if (causes) {
    const lines = [...causes.tBodies[0].rows];
    const headings = [...causes.tHead.rows[0].cells];
    const value = (line, column) => {
      const text = line.cells[column].textContent;
      const is_number = headings[column].classList.contains('number');
      return is_number ? parseFloat(text.replace(/[^0-9.]/g, '')) - text.startsWith('<') : text;
    };
    headings.forEach((heading, column) => heading.firstChild.addEventListener('click', () => {
      const is_number = heading.classList.contains('number');
      const down = heading.hasAttribute('aria-sort') ? heading.getAttribute('aria-sort') === 'ascending' : is_number;
      headings.forEach(other => mark(other, other === heading ? { down } : null));
      lines.sort((a, b) => before(value(a, column), value(b, column), down));
      causes.tBodies[0].append(...lines);
    }));
    find.addEventListener('input', () => {
      const words = find.value.toLowerCase().split(/\s+/);
      for (const line of lines) line.hidden = !words.every(word => line.textContent.toLowerCase().includes(word));
    });
  }

  unpacked('index').then(index => {
    rows = index;
    for (const row of rows) {
      row.is = row[0].split('.')[0];
      row.text = `${row[0]} ${row[1]} ${row[5]}`.toLowerCase();
      row.parts = dotted(row.text);
    }
    const order = ['disagrees', 'incomplete', 'waived', 'agrees', 'unsupported'];
    rows = rows.map((row, at) => [row, at])
      .sort(([a, i], [b, j]) => order.indexOf(a[1]) - order.indexOf(b[1]) || i - j)
      .map(([row]) => row);
    fill();
    document.body.dataset.ready = '';
    return go();
  }).catch(error => {
    shown.textContent = `The table cannot be unpacked by this browser (${error.message}).`;
  });
})();
