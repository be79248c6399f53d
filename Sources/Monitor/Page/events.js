// The list of events, folded and filtered. Only visible rows are elements.

/** The rows of the list. Each contains the first and the last row of the film that it shows. */
let list = [];
let isFolded = true, unfolded = new Set(), filter = null, listed = 0;
/** Whether the list follows the end of the film. */
let stick = true;
/** The row of the film that must be visible in the next picture. */
let revealed = -1;
let pool = [], rowHeight = 26;
const reveal = i => { revealed = i; };

const COMPARISONS = { '==': (a, b) => a === b, '!=': (a, b) => a !== b, '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b };

/** Reads one part of a filter: a comparison of the frame, or words. */
function condition(text) {
  const [, name, sign, wanted] = /^([\w.()[\]-]+)\s*(==|!=|<=|>=|<|>)\s*([\w/.-]+)$/.exec(text) ?? [];
  if (sign) {
    const regions = P.regions.filter(region => name === 'state' || name === region.label || name === 'state.' + region.name), column = P.places.get(name);
    if (regions.length && sign.endsWith('=') && sign.length === 2 && '=!'.includes(sign[0])) {
      return (row, frame) => current(frame).some(state => state.name === wanted && (name === 'state' || regions.includes(P.regions[state.region]))) === (sign === '==');
    }
    const position = P.byColumn.get(column)?.input?.positions?.indexOf(wanted) ?? -1;
    return (row, frame) => column != null && COMPARISONS[sign](frame[column], position < 0 ? Number(wanted) : position);
  }
  const words = text.toLowerCase().split(/\s+/), facts = {
    changed: row => row.d, approved: row => film().approved.has(idOf(row)), noted: row => film().notes.has(idOf(row)),
    injected: row => row.kind === 'i', edited: row => row.mark, trouble: row => row.kind === 't',
  };
  return row => words.every(word => facts[word]?.(row) || `${sourceName(row)} ${told(row)} ${film().notes.get(idOf(row)) ?? ''}`.toLowerCase().includes(word));
}
/** Returns a test of a row, by its place in the film, for a filter; null for an empty filter. */
function query() {
  const text = $('search').value.trim();
  if (!text || !P) return null;
  const parts = text.split(/\s+and\s+/i).map(condition), readsFrame = parts.some(part => part.length > 1);
  let at = -2, frame;
  return i => {
    // From row to row, the frame continues from the last one.
    if (readsFrame && i === at + 1) view().apply(frame, view().rows[i]);
    else if (readsFrame) frame = view().at(i);
    at = i;
    return parts.every(part => part(view().rows[i], frame));
  };
}

/** Adds the new rows of the film to the list. */
function extend() {
  const { rows } = view();
  for (; listed < rows.length; listed++) {
    if (filter && !filter(listed)) continue;
    const row = rows[listed], group = list.at(-1), head = group && rows[group.first];
    const fits = isFolded && head && isCause(row) && isSame(row, head) && !row.mark && !head.mark && !row.d === !head.d
      && !film().notes.has(idOf(row)) && !film().notes.has(idOf(rows[group.last]));
    if (fits && !unfolded.has(group.key)) group.last = listed;
    else list.push({ first: listed, last: listed, key: fits ? group.key : idOf(row) });
  }
}
/** Removes the oldest rows of the film from the list. A user who has scrolled up keeps the place. */
function dropRows(count) {
  const gone = placeInList(count), place = list[gone]?.last >= count ? gone : gone + 1;
  list.splice(0, place);
  for (const group of list) [group.first, group.last] = [Math.max(0, group.first - count), group.last - count];
  listed = Math.max(0, listed - count);
  if (!stick) $('list').scrollTop -= place * rowHeight;
}
function rebuild() {
  if (!P) return;
  [list, listed, filter] = [[], 0, query()];
  extend();
}
/** The row of the list that contains a row of the film, or the one before. */
function placeInList(i) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].first <= i) low = middle + 1; else high = middle;
  }
  return low - 1;
}

/** Makes an element for any row of the list. It is filled again when the list moves. */
function makeRow() {
  const part = (kind, ...children) => h('span', { class: kind, role: 'gridcell' }, ...children);
  const row = { mark: tick(''), lens: h('span'), text: h('span'), tag: h('span', { class: 'tag' }) };
  const shown = () => view().rows[list[row.place].first];
  const act = perform => event => {
    event.stopPropagation();
    goto(list[row.place].first);
    perform(shown());
  };
  row.fold = h('button', { class: 'fold', tabindex: -1, click: () => {
    const { key } = list[row.place];
    unfolded.has(key) ? unfolded.delete(key) : unfolded.add(key);
    rebuild();
    wantPicture();
  } });
  row.buttons = [['off', toggle], ['plus', () => compose('insert')], ['note', note], ['ok', approve]].map(([name, perform]) => iconButton(name, '', act(perform), { tabindex: -1 }));
  row.cells = [part('k m r q'), part('time r'), part('dt m r q'), part('l name', row.mark, row.lens), part('e', row.text, row.fold, row.tag), part('n m r'), part('x m')];
  row.grip = h('span', { class: 'grip', 'aria-hidden': 'true', pointerdown: event => drag(event, row) }, icon('grip'));
  row.element = h('div', { class: 'ev', role: 'row', click: event => { if (!event.target.closest('button')) goto(list[row.place].first); } },
    row.grip, ...row.cells, h('span', { class: 'acts', role: 'gridcell' }, ...row.buttons));
  $('rows').append(row.element);
  return row;
}

/** Moves an event by its grip. */
function drag(event, row) {
  event.preventDefault();
  const moved = view().rows[list[row.place].first], line = h('div', { class: 'drop' }), box = $('rows');
  let to = row.place;
  if (!isCause(moved) || idOf(moved) < 0) return;
  box.append(line);
  row.grip.setPointerCapture(event.pointerId);
  const move = at => {
    to = Math.max(0, Math.min(list.length - 1, Math.round((at.clientY - box.getBoundingClientRect().top) / rowHeight)));
    line.style.top = to * rowHeight - 1 + 'px';
  };
  row.grip.addEventListener('pointermove', move);
  row.grip.addEventListener('pointerup', () => {
    row.grip.removeEventListener('pointermove', move);
    line.remove();
    const before = view().rows[list[to].first];
    if (to === row.place || to === row.place + 1 || !isCause(before) || idOf(before) < 0) return;
    goto(list[row.place].first);
    edit(`move ${idOf(moved)} before ${idOf(before)}`);
  }, { once: true });
}

function bringIntoSight(box, i) {
  const y = placeInList(i) * rowHeight;
  if (y < box.scrollTop + rowHeight) box.scrollTop = y - rowHeight;
  else if (y > box.scrollTop + box.clientHeight - 2 * rowHeight) box.scrollTop = y - box.clientHeight + 3 * rowHeight;
}

function changesText(row) {
  const named = film().notes.get(idOf(row)), changed = (row.c ?? []).filter(([column]) => isTold(column));
  const text = changed.slice(0, 12).map(([column, x]) => `${columnName(column)} ${cell(column, x)}`).join(', ');
  return (named ? `“${named}”  ` : '') + (row.mark === 'ghost' ? 'would not have been' : text);
}

function paintList() {
  const box = $('list'), { rows } = view(), height = list.length * (rowHeight = innerWidth < 640 ? 48 : 26), sheet = $('rows');
  if (sheet.height !== height) {
    sheet.height = height;
    sheet.style.height = height + 'px';
    setAttribute(box, 'aria-rowcount', list.length);
  }
  if (stick && isLive()) box.scrollTop = height;
  else if (revealed >= 0) bringIntoSight(box, revealed);
  revealed = -1;
  const start = Math.max(0, Math.floor(box.scrollTop / rowHeight) - 2), end = Math.min(list.length, start + Math.ceil(box.clientHeight / rowHeight) + 5);
  const here = placeInList(rowIndex());
  while (pool.length < end - start) pool.push(makeRow());
  let active = '';
  pool.forEach((row, i) => {
    row.element.hidden = start + i >= end;
    if (row.element.hidden) return;
    row.place = start + i;
    if (row.place === here) active = 'row' + row.place;
    paintRow(row, rows, row.place === here);
  });
  setAttribute(box, 'aria-activedescendant', active);
  $('newest').hidden = !isLive() || stick;
  setText($('count'), list.length === rows.length ? number(rows.length) : `${number(list.length)} rows of ${number(rows.length)}`);
}

function paintRow(row, rows, isCurrent) {
  const { element, place } = row, { first, last, key } = list[place], shown = rows[first], count = last - first + 1, id = idOf(shown);
  const isReal = isCause(shown), isOff = shown.mark === 'off', isGhost = shown.mark === 'ghost', isApproved = isReal && film().approved.has(id);
  element.style.transform = `translateY(${place * rowHeight}px)`;
  setAttribute(element, 'id', 'row' + place);
  setAttribute(element, 'class', `ev${isCurrent ? ' cur' : ''}${isOff ? ' off' : ''}${isGhost ? ' ghost' : ''}${shown.kind === 'l' ? ' hole' : ''}${shown.d ? '' : ' same'}${shown.kind === 't' && !isReturn(shown) ? ' trouble' : ''}`);
  setAttribute(element, 'aria-rowindex', place + 1);
  setAttribute(element, 'aria-selected', isCurrent);
  row.mark.style.setProperty('--c', shown.lens < 0 ? 'var(--fill)' : lensColor(shown.lens));
  setText(row.lens, sourceName(shown));
  setText(row.text, told(shown));
  const texts = [isReal && !isOff && !isGhost ? String(shown.k) : '', clock(shown.t), first ? span(shown.t - rows[first - 1].t) : '', null, null,
    rows[last].d ? String(rows[last].n) : '', changesText(rows[last])];
  texts.forEach((text, i) => { if (text != null) setText(row.cells[i], text); });
  const tag = isOff ? 'off' : isGhost ? '' : shown.mark ?? (shown.kind === 'i' ? 'injected' : '');
  row.tag.hidden = !tag;
  setText(row.tag, tag);
  row.fold.hidden = count < 2 && !(unfolded.has(key) && key === id);
  if (!row.fold.hidden) {
    setText(row.fold, count > 1 ? '×' + number(count) : 'fold');
    setAttribute(row.fold, 'aria-label', count > 1 ? `Show ${count} equal events` : 'Fold equal events');
  }
  row.grip.style.visibility = isReal ? '' : 'hidden';
  const states = [isOff, false, film().notes.has(id), isApproved];
  const words = [isOff ? 'Turn on' : 'Turn off', 'Insert after', states[2] ? 'Change note of' : 'Note at', isApproved ? 'Withdraw approval of' : 'Approve'];
  row.buttons.forEach((button, i) => {
    button.hidden = !isReal;
    button.classList.toggle('set', states[i]);
    setAttribute(button, 'aria-label', `${words[i]} event ${id}`);
    setAttribute(button, 'title', `${words[i]} event ${id}`);
    if (i === 0 || i === 3) setAttribute(button, 'aria-pressed', states[i]);
  });
}

/** The text in place of an empty list. */
function paintEmpty() {
  const isEmpty = !view().rows.length, box = $('none');
  box.hidden = list.length > 0;
  if (box.hidden) return;
  setText(box.firstChild, isEmpty ? 'Nothing has happened yet.' : 'No event fits the filter.');
  setText(box.lastChild, isEmpty ? P.isPanel ? 'Press a button on the panel, or on the panel drawn here.' : 'The first event of a driver is shown here.' : 'Clear it with Escape.');
}
