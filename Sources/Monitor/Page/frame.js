// The frame: the columns of a panel's row, or any JSON as a tree; what has changed; an edit in place.

/** The last requested whole frame, if frames are not rows: its film, its number, the models of the lenses. */
let whole = { of: null, n: -1, frame: null, models: null };
/** The number of the frame after a row of a film; for -1, the first. */
const frameNumber = (of, i) => of.film.rows[i]?.n ?? of.film.firstNumber;
const isWholeShown = () => whole.of === reel && whole.n === frameNumber(reel, rowIndex()) && whole.against === $('against').value;

function buildFrame() {
  const tree = $('tree'), groups = new Map([['State', []], ['Values', []], ['Sounds', []], ['Inputs', []], ['Hardware', []], ['Internal', []]]);
  (P.columns ?? []).forEach((name, column) => {
    const { region, value, input } = P.byColumn.get(column) ?? {};
    const group = region ? 'State' : value || /\[\d+\]$/.test(name) ? 'Values' : input || P.inputs.some(one => one.reading === column) ? 'Inputs'
      : /\.(starts|ended)$/.test(name) ? 'Sounds' : name.endsWith('.missing') ? 'Hardware' : 'Internal';
    groups.get(group).push(column);
  });
  const line = column => {
    const value = h('button', { class: 'val m', click: () => editCell(column) }), was = h('span', { class: 'was m' });
    const row = h('tr', {}, h('td', { class: 's', title: P.columns[column] }, columnName(column)), h('td', {}, value, was));
    parts.set('column ' + column, { row, value, was });
    return row;
  };
  // A group of columns is filled when it is opened, 100 at a time.
  const part = ([name, columns]) => {
    const body = h('tbody'), box = h('details', { open: name !== 'Internal' && name !== 'Hardware' }, h('summary', {}, `${name}, ${columns.length}`), h('table', {}, body));
    let count = 0;
    const more = () => {
      box.querySelector('.more')?.remove();
      body.append(...columns.slice(count, count += 100).map(line));
      if (count < columns.length) box.append(h('button', { class: 'b more', type: 'button', click: more }, `${columns.length - count} more`));
      wantAll();
    };
    const fill = () => { if (box.open && !count) more(); };
    box.addEventListener('toggle', fill);
    fill();
    return box;
  };
  tree.replaceChildren(h('div', { id: 'json' }), ...[...groups].filter(([, columns]) => columns.length).map(part), h('div', { class: 'f foot' },
    h('button', { class: 'b', id: 'show', click: () => link.show(rowShown()?.n ?? 0).then(() => { goLive(); toast('Shown on the panel as a new frame'); }, refused) }, 'Show on panel'),
    h('span', { class: 'q m', id: 'digest' })));
}

function editCell(column) {
  const row = target(), { value } = parts.get('column ' + column);
  if (!row) return;
  const x = frameShown()[column], { region, value: bounds } = P.byColumn.get(column) ?? {};
  const box = region
    ? h('select', { 'aria-label': 'New ' + P.columns[column] }, ...region.states.map(s => h('option', { value: s, selected: s === x }, P.states[s].name)))
    : h('input', { type: 'text', inputmode: 'numeric', 'aria-label': 'New ' + P.columns[column], value: x });
  let isOver = false;
  const finish = isAccepted => {
    if (isOver) return;
    isOver = true;
    const wish = Number(box.value);
    box.replaceWith(value);
    if (!isAccepted || wish === x) return value.focus();
    if (!Number.isInteger(wish) || bounds?.max != null && (wish < bounds.min || wish > bounds.max)) {
      return toast(`${box.value} is not a whole number${bounds?.max != null ? ` from ${bounds.min} to ${bounds.max}` : ''}`);
    }
    edit(`frame ${idOf(row)} ${P.columns[column]} ${wish}`);
  };
  box.addEventListener('keydown', event => {
    event.stopPropagation();
    if (event.key === 'Enter') finish(true);
    if (event.key === 'Escape') finish(false);
  });
  box.addEventListener('blur', () => finish(false));
  value.replaceWith(box);
  box.focus();
  box.select?.();
}

/** The film and the row with which the frame shown is compared. */
function compared() {
  const kind = $('against').value;
  if (kind === 'first') return [reel, -1];
  if (kind === 'film' || kind.startsWith('reel')) {
    const other = reels[kind === 'film' ? 0 : +kind.slice(4)] ?? reels[0];
    return [other, other.film.index(timeShown())];
  }
  return [reel, Math.max(-1, rowIndex() - 1)];
}
function paintAgainst() {
  const box = $('against'), wished = [['previous', 'vs previous'], ['first', 'vs first'], ['film', 'vs recording'], ...reels.slice(1).map((one, i) => ['reel' + (i + 1), 'vs ' + one.name])];
  if (box.options.length === wished.length && [...box.options].every((option, i) => option.text === wished[i][1])) return;
  const { value } = box;
  box.replaceChildren(...wished.map(([name, text]) => h('option', { value: name }, text)));
  box.value = wished.some(([name]) => name === value) ? value : 'previous';
}

function paintFrame(frame) {
  paintAgainst();
  const row = rowShown(), [other, place] = compared(), old = other.film.at(place);
  let count = 0;
  frame.forEach?.((x, column) => {
    const part = parts.get('column ' + column), isNew = x !== old[column];
    if (isNew) count++;
    if (!part) return;
    setText(part.value, cell(column, x));
    setText(part.was, isNew && old[column] !== undefined ? cell(column, old[column]) : '');
    part.row.classList.toggle('chg', isNew);
    setAttribute(part.value, 'aria-label', `${P.columns[column]} ${cell(column, x)}${isNew ? ', was ' + cell(column, old[column]) : ''}, change it in the edits`);
  });
  if (!P.columns) {
    askWhole();
    $('json').classList.toggle('stale', !isWholeShown());
  }
  setText($('frame-number'), `${frameNumber(reel, rowIndex())} · ${P.columns ? count ? count + ' changed' : 'no change' : row?.d ? 'changed' : 'no change'}`);
  setText($('digest'), row?.d ?? '');
  $('show').disabled = !P.isControl || isLive();
  $('show').title = P.isControl ? '' : 'Needs the control token';
}

/** A frame of the film or of a take, which the program plays. A film from a file has only its first frame. */
async function wholeFrame(of, n) {
  const first = n === of.film.firstNumber ? { value: of.film.first } : null;
  if (of !== reels[0] && !of.edits) {
    if (first) return first;
    throw new Error('A recording from a file has only digests of its frames');
  }
  try { return await (of.edits ? link.takeFrame(of.id, n) : link.frame(n)); } catch (error) {
    if (first) return first;
    throw error;
  }
}
/** Requests the frame shown and the one to compare with; while live, at most once per second. */
let asking = false, askedAt = 0;
async function askWhole() {
  const of = reel, n = frameNumber(of, rowIndex()), against = $('against').value, [other, place] = compared();
  const isEdited = () => $('json').querySelector('input');
  if (isWholeShown() || asking || isEdited() || link.status !== 'live' || isLive() && performance.now() - askedAt < 1000) return;
  [asking, askedAt] = [true, performance.now()];
  try {
    const [shown, before] = await Promise.all([wholeFrame(of, n), wholeFrame(other, frameNumber(other, place)).catch(() => null)]);
    // A value that is being edited stays. The frame is requested again afterwards.
    if (isEdited()) return;
    whole = { of, n, against, frame: shown.value, models: shown.models };
    $('json').replaceChildren(jsonTree(whole.frame, before?.value, 'frame', '', 0));
  } catch (error) {
    whole = { of, n, against };
    $('json').replaceChildren(h('p', { class: 'q none' }, error.message));
  } finally { asking = false; }
  wantAll();
}

/** A value of the tree; a click changes it in a take. */
function leafValue(value, path) {
  const text = JSON.stringify(value), button = h('button', { class: 'val m', 'aria-label': `${path} ${text}, change it in the edits`, click: () => {
    const row = target();
    if (!row) return;
    const box = h('input', { type: 'text', class: 'm', 'aria-label': 'New ' + path, value: text });
    let isOver = false;
    const finish = isAccepted => {
      if (isOver) return;
      isOver = true;
      const wish = box.value.trim();
      box.replaceWith(button);
      if (!isAccepted || wish === text) return button.focus();
      try { JSON.parse(wish); } catch { return toast(`${wish || 'nothing'} is no JSON; write a value as it stands there`); }
      edit(`frame ${idOf(row)} ${word(path)} ${wish}`);
    };
    box.addEventListener('keydown', event => {
      event.stopPropagation();
      if (event.key === 'Enter') finish(true);
      if (event.key === 'Escape') finish(false);
    });
    box.addEventListener('blur', () => finish(false));
    button.replaceWith(box);
    box.select();
  } }, text);
  return path ? button : h('span', { class: 'val m' }, text);
}

const openPaths = new Set(['']);
/** Any JSON as a tree: an object or a list is filled when it is opened, 100 children at a time, at most 32 deep. */
function jsonTree(value, old, name, path, depth) {
  const isNew = old !== undefined && JSON.stringify(value) !== JSON.stringify(old);
  if (value === null || typeof value !== 'object') {
    return h('div', { class: 'leaf' + (isNew ? ' chg' : '') }, h('span', { class: 's' }, name), leafValue(value, path),
      isNew && h('span', { class: 'was m' }, typeof old === 'object' ? '…' : JSON.stringify(old)));
  }
  const entries = Object.entries(value), box = h('details', { class: 'node' + (isNew ? ' chg' : ''), open: openPaths.has(path) });
  box.append(h('summary', {}, `${name} ${Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}`));
  let count = 0;
  const more = () => {
    box.querySelector(':scope > .more')?.remove();
    if (depth >= 32) return void box.append(h('p', { class: 'q' }, 'deeper than 32'));
    for (const [key, child] of entries.slice(count, count += 100)) {
      const place = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
      box.append(jsonTree(child, old?.[key], key, place, depth + 1));
    }
    if (count < entries.length) box.append(h('button', { class: 'b more', type: 'button', click: more }, `${entries.length - count} more`));
  };
  const fill = () => {
    box.open ? openPaths.add(path) : openPaths.delete(path);
    if (box.open && !count) more();
  };
  box.addEventListener('toggle', fill);
  if (box.open) fill();
  return box;
}
