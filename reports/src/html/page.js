'use strict';
// The table of variants and their pages, from what is packed in this file. Rows are made of text; pages were made,
// and everything in them escaped, by the program that wrote this file.
(() => {
  const SHOWN = 200;
  const get = id => document.getElementById(id);
  const [front, page, body, filter, status, shown, more] =
    ['front', 'variant', 'variants', 'filter', 'status', 'shown', 'more'].map(get);
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
  const number = value => value === null ? '' : value.toLocaleString('en');

  const fill = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(word => word);
    const found = rows.filter(row =>
      (!status.value || row[1] === status.value) &&
      words.every(word => row.text.includes(word)));
    if (order) {
      const { column, down } = order;
      const of = row => row[column] === 'inf' ? Infinity : row[column] ?? -1;
      const before = (a, b) => a < b ? -1 : a > b ? 1 : 0;
      found.sort((a, b) => (down ? -1 : 1) * before(of(a), of(b)));
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
      cell(line, typeof row[4] === 'number' ? row[4].toPrecision(4) : row[4] ?? '', true);
      cell(line, row[5]);
    }
    body.tBodies[0].replaceWith(fresh);
    shown.textContent = `${found.length.toLocaleString('en')} of ${rows.length.toLocaleString('en')} variants`;
    more.hidden = some.length === found.length;
    more.textContent = `Show all ${found.length.toLocaleString('en')}`;
  };
  const sort = column => {
    order = { column, down: order?.column === column ? !order.down : column > 1 && column < 5 };
    headings.forEach((heading, at) => {
      if (at === column) heading.setAttribute('aria-sort', order.down ? 'descending' : 'ascending');
      else heading.removeAttribute('aria-sort');
    });
    fill();
  };

  // `#/VARIANT` is the page of a variant, `#is=INSTRUCTION` the table of those of an instruction.
  const go = async () => {
    const place = location.hash.slice(1);
    const named = place.startsWith('/') ? decodeURIComponent(place.slice(1)) : null;
    const row = named === null ? undefined : rows.find(row => row[0] === named);
    const opened = row?.[6];
    if (opened) page.innerHTML = (await part(opened[0]))[opened[1]];
    page.hidden = !opened;
    front.hidden = !!opened;
    document.title = opened ? `${named} – ${title}` : title;
    if (opened) {
      scrollTo(0, 0);
      page.focus({ preventScroll: true });
    } else if (place.startsWith('is=')) {
      filter.value = decodeURIComponent(place.slice(3)) + '.';
      fill();
      filter.focus();
      get('all').scrollIntoView();
    } else if (named !== null) {
      filter.value = named;
      fill();
      get('all').scrollIntoView();
    }
  };

  filter.form.addEventListener('submit', event => event.preventDefault());
  for (const field of [filter, status]) field.addEventListener('input', () => { all = false; fill(); });
  more.addEventListener('click', () => { all = true; fill(); });
  headings.forEach((heading, column) => heading.firstChild.addEventListener('click', () => sort(column)));
  addEventListener('hashchange', go);
  unpacked('index').then(index => {
    rows = index;
    for (const row of rows) row.text = `${row[0]} ${row[1]} ${row[5]}`.toLowerCase();
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
