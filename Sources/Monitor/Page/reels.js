// The shown film: the film itself, a take, or a film from a file; and the place in it.

/** The film comes first, then up to seven takes and opened films, each with its own cursor. */
let reels = [], reel;
/** The row that is shown; -1 before the first one, null at the live end of the film. */
let cursor = null;
/** The last account of the recorder and the lenses. */
let account = null;

const film = () => reels[0].film;
const view = () => reel.film;
const isFilm = () => reel === reels[0];
const isLive = () => isFilm() && cursor === null;
const rowIndex = () => cursor === null ? view().rows.length - 1 : Math.min(cursor, view().rows.length - 1);
const rowShown = () => view().rows[rowIndex()];
const frameShown = () => view().at(rowIndex());
/** The lead of the film's clock over the page's, in nanoseconds; null until it is known. */
let ahead = null;
/** Sets the film's clock from a received time. Lines arrive in batches, a little late: they never set it back. */
function setClock(t, isExact) {
  const offset = t - performance.now() * MILLISECOND;
  if (ahead === null || offset > ahead || isExact && ahead - offset > SECOND / 4) ahead = offset;
}
const now = () => link.status === 'live' && ahead !== null ? Math.max(film().end, performance.now() * MILLISECOND + ahead) : film().end;
const timeShown = () => isLive() ? now() : rowShown()?.t ?? view().begin;

function choose(next) {
  reel.cursor = cursor;
  reel = next;
  cursor = isFilm() ? null : reel.cursor ?? 0;
  if (isLive()) { zoom.follow(); stick = true; } else zoom.show(timeShown());
  reelBar();
  layLanes();
  rebuild();
  reveal(Math.max(0, rowIndex()));
  wantAll();
}

function goto(i) {
  const count = view().rows.length;
  if (!count) return;
  cursor = i < count ? Math.max(-1, i) : isFilm() ? null : count - 1;
  if (cursor === null) zoom.follow();
  else {
    const row = rowShown(), t = timeShown();
    zoom.show(t);
    reveal(cursor);
    say(!row ? 'The first frame' : `${isCause(row) ? 'Event ' + row.k : 'Row'}, ${sourceName(row)} ${told(row)}, frame ${row.n}, ${clock(t)}`);
  }
  wantAll();
}

function goLive() {
  if (!isFilm()) return choose(reels[0]);
  cursor = null;
  zoom.follow();
  stick = true;
  wantAll();
}
function pause() {
  if (!view().rows.length) return;
  cursor = view().rows.length - 1;
  stick = false;
  reveal(cursor);
  zoom.end = timeShown() + zoom.span * .02;
  wantAll();
}
const toggleLive = () => link.status === 'gone' && isLive() ? connect() : isLive() ? pause() : goLive();

/** Moves by rows of the list, or by frames. */
function step(by, isByFrame) {
  const { rows } = view(), start = cursor ?? rows.length - (by < 0 ? 1 : 0);
  if (isByFrame) {
    let i = start + by;
    while (i > 0 && i < rows.length && !rows[i].d) i += by;
    return goto(i);
  }
  const place = placeInList(start) + by;
  if (isLive() && by > 0) return;
  goto(place < 0 ? -1 : place >= list.length ? rows.length : by < 0 ? list[place].last : list[place].first);
}

/** Moves to the next or previous row at which the filter begins to match. */
function match(by) {
  const test = query(), { rows } = view();
  if (!test) return;
  let i = rowIndex(), was = test(i);
  for (i += by; i >= 0 && i < rows.length; i += by) {
    const holds = test(i);
    if (holds && !was) return goto(i);
    was = holds;
  }
  toast('No further match');
}

/** The tabs of film, takes and opened films. */
function reelBar() {
  const bar = $('reels'), tab = one => h('button', {
    role: 'tab', 'aria-selected': String(one === reel), tabindex: one === reel ? 0 : -1, click: () => choose(one),
  }, one.edits ? `${one.name} · ${one.edits.length} edit${one.edits.length === 1 ? '' : 's'}` : one.name);
  const isFocused = bar.contains(document.activeElement);
  bar.replaceChildren(...reels.map(tab));
  if (isFocused) bar.querySelector('[aria-selected=true]').focus();
  bar.hidden = reels.length < 2;
  $('undo').hidden = !reel.edits;
  $('mode').hidden = !reel.edits || !P.isPanel;
  $('close').hidden = isFilm();
  for (const mode of ['recorded', 'rehearsed']) setAttribute($(mode), 'aria-checked', reel.mode === mode);
}
function closeReel() {
  if (isFilm()) return;
  const gone = reel;
  choose(reels[0]);
  reels = reels.filter(one => one !== gone);
  reelBar();
  layLanes();
}
function addReel(one) {
  if (reels.length > 7) { toast('Seven recordings are open; close one first'); return false; }
  reels.push(one);
  return true;
}

/** Opens a film from a file next to the live one, at its first frame. Changes neither the panel nor its film. */
async function open(file) {
  if (!file) return;
  if (file.size > 67108864) return toast(`${file.name} has ${bytes(file.size)}; at most 64 MB can be opened here`);
  const other = new Film(), lines = (await file.text()).split('\n');
  const bad = lines.findIndex((line, i) => (line || i < lines.length - 1) && (other.trim(), !other.read(line)));
  if (!other.header || bad >= 0 && bad < lines.length - 1) {
    return toast(`${file.name}:${Math.max(1, bad + 1)}: ${other.header ? 'the line is not a record of a recording' : 'the file is not a recording of version 1'}; nothing was opened`);
  }
  // The types of drivers may have other names in another version of the program.
  const names = lenses => JSON.stringify(lenses.map(lens => lens.name));
  if (names(other.header.lenses) !== names(P.lenses) || String(other.header.columns) !== String(P.columns)) {
    return toast(`${file.name} is of ${other.header.app}, which has other lenses or values; open it on a page of that panel`);
  }
  if (!addReel({ name: file.name, film: other, cursor: -1 })) return;
  choose(reels.at(-1));
  if (bad >= 0) toast(`${file.name}:${bad + 1}: the recording ends in the middle of a record, which is ignored`);
}
