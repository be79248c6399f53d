// The top of the page, the loop that paints, keys, and the beginning.

// ——— messages from the program ———

/** Reads a message of the stream: lines of the film, accounts, and what was skipped for a slow watcher. */
function receive(messages) {
  for (const { name, data } of messages) {
    if (name === 'account') takeAccount(JSON.parse(data));
    else if (name === 'run') { if (JSON.parse(data).run !== P.run) return void restart(); }
    else if (name === 'end') link.hasEnded = true;
    else if (name === 'skipped') wantGap(JSON.parse(data).from + JSON.parse(data).count);
    else takeLine(data);
  }
  const given = film().trim();
  if (given && isFilm()) {
    if (cursor !== null) cursor = Math.max(0, cursor - given);
    dropRows(given);
  }
  if (isFilm()) extend();
  wantPicture();
}
function takeAccount(next) {
  account = next;
  if (next.now != null) setClock(next.now, true);
}
function takeLine(line) {
  const one = film();
  let record;
  try { record = JSON.parse(line); } catch { return toast('A line could not be read: ' + line.slice(0, 60)); }
  if (!Array.isArray(record)) { one.header = record; return; }
  if (CAUSES.includes(record[0])) {
    if (record[1] <= one.last) return;
    if (!one.hasLost) wantGap(record[1]);
    setClock(record[2]);
  }
  one.add(record);
}

/** Holes whose events are requested, once, after three seconds without skipped events: a slow page requests no more. */
let holes = [], fillTimer;
async function fillHoles() {
  for (const hole of holes.splice(0)) {
    try {
      const lines = await link.range(hole.from, hole.to), place = film().rows.indexOf(hole);
      const records = lines.map(line => JSON.parse(line)).filter(record => CAUSES.includes(record[0]) && record[1] >= hole.from && record[1] <= hole.to);
      // If the panel has dropped some of them meanwhile, the hole stays.
      if (place < 0 || records.length < hole.count) continue;
      const shown = isFilm() && cursor !== null ? rowShown() : null;
      film().fill(place, records);
      // The row that a user looks at stays. A hole is replaced by its first event.
      if (shown) cursor = film().rows.includes(shown) ? film().rows.indexOf(shown) : place;
    } catch (error) { refused(error); }
  }
  rebuild();
  wantAll();
}

/** Notes that the events up to `next` are missing. Up to 5000 are requested; for more, the hole stays. */
function wantGap(next) {
  const one = film(), from = one.last + 1, count = next - from;
  if (count <= 0 || !one.first || !one.last) return;
  const hole = { kind: 'l', k: one.last, t: one.end, lens: -2, count, from, to: next - 1, n: one.rows.at(-1)?.n ?? 0 };
  one.push(hole);
  one.last = next - 1;
  if (count > 5000) return;
  holes.push(hole);
  clearTimeout(fillTimer);
  fillTimer = setTimeout(fillHoles, 3000);
}

let isAsking = false;
/** Requests the description of the panel, if it is unknown, and opens the stream at the end of the film. */
async function connect() {
  if (link.status === 'live' || isAsking || document.hidden) return;
  isAsking = true;
  [link.status, link.hasEnded] = ['waiting', false];
  try {
    const description = await link.panel();
    if (document.hidden) return;
    const isNew = P?.run !== description.run;
    if (isNew) begin(description);
    if (description.account) takeAccount(description.account);
  } catch (error) {
    link.reason = error.message;
    link.lose();
    return paintAlert();
  } finally { isAsking = false; }
  link.open(film().last + 1, receive).then(paintAlert);
  paintAlert();
  wantAll();
}

/** Requests the description again, because the stream comes from another run of the program. */
function restart() {
  link.close();
  connect();
}

/** Begins with a panel's program that was unknown, or has been restarted. */
function begin(description) {
  const isAgain = P != null;
  learn(description);
  const first = new Film();
  first.header = P.film;
  ahead = null;
  reels = [{ name: 'Recording', film: first }];
  reel = reels[0];
  cursor = null;
  document.title = P.name + ' · monitor';
  setText($('title'), P.name);
  setText($('host'), P.host ?? '');
  setText($('kind'), P.isSimulated ? 'simulated' : P.chip ?? '');
  $('access').replaceChildren(icon(P.isControl ? 'open' : 'lock'), h('span', {}, P.isControl ? 'control' : 'watch only'));
  $('access').title = P.isControl ? 'This link may press, inject and show frames' : 'This link only watches';
  $('inject').hidden = !P.isControl;
  readColors();
  buildFace();
  buildDrivers();
  buildFrame();
  reelBar();
  layLanes();
  rebuild();
  if (isAgain) toast('The panel’s program has restarted; this is its new recording');
}

function paintAlert() {
  const box = $('alert'), isGone = link.status === 'gone', frame = P?.isPanel && film().tip;
  const lost = frame ? P.missing.filter(([, column]) => frame[column] > 0).map(([name]) => name.replace('.missing', '')) : [];
  const state = isGone ? 'gone ' + link.retryIn : lost.join();
  box.hidden = !state;
  if (box.state === state) return;
  box.state = state;
  box.replaceChildren();
  if (isGone) {
    box.append(h('b', {}, link.hasEnded ? 'The panel’s program has ended.' : `No connection to ${location.host}.`), P ? `The recording up to ${clock(film().end)} is still here.` : link.reason ?? '',
      h('span', { 'aria-hidden': 'true' }, `Next try in ${link.retryIn} s.`), h('button', { class: 'b', click: connect }, 'Try now'));
  } else if (lost.length) {
    box.append(h('b', {}, lost.join(', ') + (lost.length > 1 ? ' are gone.' : ' is gone.')), 'The drawing shows what the panel asks for, not what the hardware does.',
      h('button', { class: 'b', click: () => { if (!isFilm()) goLive(); goto(film().rows.findLastIndex(row => row.kind === 't')); } }, 'Show the event'));
  }
}

// ——— the top ———

const METERS = [['recording', 'w1'], ['cost', 'w1'], ['written', 'w2'], ['lost', ''], ['pending', 'w2'], ['link', '']];
function buildMeters() {
  $('meters').replaceChildren(...METERS.map(([name, kind]) => h('div', { class: kind }, h('dt', {}, name === 'link' ? 'connection' : name), h('dd', { id: name }, '–'))));
}
function paintTop() {
  const row = rowShown(), isGone = link.status === 'gone', live = isLive(), missed = isFilm() ? view().rows.length - 1 - rowIndex() : 0, button = $('live');
  button.classList.toggle('main', live && !isGone);
  setText(button.lastChild, isGone && live ? 'Offline' : live ? 'Live' : !isFilm() ? reel.edits ? 'Edited' : 'Opened' : missed > 9999 || !missed ? 'Paused' : 'Paused +' + missed);
  setAttribute(button, 'aria-label', live ? 'Live; pause' : 'Paused; go live');
  setAttribute(button, 'aria-pressed', live);
  setText($('time'), clock(timeShown()));
  const what = row && (row.kind === 'l' ? 'hole' : row.kind === 'f' ? 'whole frame' : row.mark === 'off' || row.mark === 'ghost' ? 'no event' : 'event ' + number(row.k));
  setText($('place'), row ? `${what} · frame ${number(row.n)}` : view().rows.length ? 'start · frame ' + number(view().firstNumber) : 'no event yet');
  const { ring, cost } = account ?? {}, texts = {
    recording: ring ? `${bytes(ring.bytes)} of ${bytes(ring.capacity)}` : '–',
    cost: cost ? `${(cost.cpu * 100).toFixed(1)} % · ${(cost.longest / MILLISECOND).toFixed(2)} ms` : '–',
    written: number(ring?.written), lost: number(ring?.lost), pending: number(ring?.pending), link: link.status === 'live' ? link.delay + ' ms' : 'none',
  };
  for (const [name, text] of Object.entries(texts)) setText($(name), text);
  $('cost').title = cost ? `The monitor's share of a processor, its longest turn in the panel's loop; the program has ${bytes(cost.rss)}` : '';
  $('lost').classList.toggle('bad', ring?.lost > 0);
  $('link').classList.toggle('bad', link.status !== 'live');
  const film = $('film'), range = $('range'), count = view().rows.length;
  for (const [name, value] of [['valuemin', 0], ['valuemax', count], ['valuenow', rowIndex() + 1],
    ['valuetext', row ? `event ${row.k}, ${sourceName(row)} ${told(row)}, frame ${row.n}` : 'no event']]) setAttribute(film, 'aria-' + name, value);
  range.max = count;
  range.value = rowIndex() + 1;
  setText($('span'), span(zoom.span) + ' wide');
}

// ——— the loop ———

// While the film is live, little changes except the time: only the panel, the timeline and the top are painted. The
// rest is painted when there are changes.
let picture = true, all = true, nextPaint = 0;
function wantPicture() { picture = true; }
function wantAll() { picture = all = true; }
function paint(time) {
  requestAnimationFrame(paint);
  if (!P || document.hidden || time < nextPaint || !picture && !(link.status === 'live' && isLive())) return;
  const start = performance.now(), hasNews = picture || all;
  picture = all = false;
  if (isLive()) zoom.follow();
  if (view().first != null) {
    const frame = frameShown();
    paintFace(frame, timeShown());
    if (hasNews) {
      if (explained == null) explain();
      paintDrivers(frame);
      paintFrame(frame);
      paintList();
    }
  }
  if (hasNews) { paintEmpty(); paintAlert(); drawWhole(); }
  drawTimeline();
  paintTop();
  const cost = performance.now() - start;
  nextPaint = time + Math.max(matchMedia('(prefers-reduced-motion: reduce)').matches ? 250 : 40, cost * 6);
  if (asking || !P.columns && !isWholeShown()) wantPicture();
}

// ——— keys ———

const focusPart = name => {
  const part = $(name), first = part.matches('canvas,[tabindex]') ? part : part.querySelector('button:not([disabled]),[tabindex="0"],select');
  first?.focus();
  part.scrollIntoView({ block: 'nearest' });
};
const SHORTCUTS = {
  '?': help, '/': () => $('search').focus(), f: fold, a: () => approve(rowShown()), m: () => note(rowShown()), x: () => toggle(target()),
  i: () => compose('insert'), e: () => compose('edit'), j: () => P.isControl && compose('inject'), s: save, o: () => $('file').click(), u: undo,
  t: () => choose(reels[(reels.indexOf(reel) + 1) % reels.length]), r: () => setMode(reel.mode === 'recorded' ? 'rehearsed' : 'recorded'), d: flip,
  '+': () => setZoom(.5), '=': () => setZoom(.5), '-': () => setZoom(2), 0: () => setZoom(0), '[': () => step(-1, true), ']': () => step(1, true),
  n: () => match(1), p: () => match(-1), 1: () => focusPart('film'), 2: () => focusPart('face'), 3: () => focusPart('lenses'), 4: () => focusPart('tree'), 5: () => focusPart('list'),
};
function pressKey(event) {
  const { target: at, key } = event, isTyping = at.matches('input:not([type=range],[type=checkbox]),select,textarea');
  if ($('dialog').open || isTyping || event.ctrlKey || event.metaKey || !P) return;
  const act = perform => { event.preventDefault(); perform(); }, by = event.shiftKey ? 10 : 1;
  if (event.altKey) return key === 'ArrowUp' ? act(() => shift(-1)) : key === 'ArrowDown' ? act(() => shift(1)) : undefined;
  if (at.matches('[role=tab],[role=radio]') && key.startsWith('Arrow')) return moveFocus(event);
  if (key === 'ArrowLeft' || key === 'ArrowUp' && at.id === 'list') return act(() => step(-by));
  if (key === 'ArrowRight' || key === 'ArrowDown' && at.id === 'list') return act(() => step(by));
  if (key === 'Home') return act(() => goto(0));
  if (key === 'End' || key === 'Escape') return act(goLive);
  if (key === ' ' && !at.matches('button,a,summary')) return act(toggleLive);
  const perform = SHORTCUTS[key.toLowerCase()];
  if (perform && (hasKeys || key === '?')) act(perform);
}
/** Arrow keys go round the tabs and radios of a group. */
function moveFocus(event) {
  const group = [...event.target.parentElement.querySelectorAll('[role=tab],[role=radio]')], by = /Left|Up/.test(event.key) ? -1 : 1;
  event.preventDefault();
  const next = group[(group.indexOf(event.target) + by + group.length) % group.length];
  next.focus();
  next.click();
}

function fold() {
  isFolded = !isFolded;
  unfolded.clear();
  setAttribute($('fold'), 'aria-pressed', isFolded);
  rebuild();
  wantAll();
}
function search() {
  rebuild();
  $('list').scrollTop = 0;
  stick = isLive();
  wantAll();
}

// ——— light and dark ———

const light = matchMedia('(prefers-color-scheme: light)');
function setTheme(name) {
  root.dataset.theme = name;
  if (P) readColors();
  wantAll();
}
function flip() {
  const name = root.dataset.theme === 'light' ? 'dark' : 'light';
  kept('theme', name);
  setTheme(name);
}

// ——— the beginning ———

function wire() {
  const on = (id, act, name = 'click') => $(id).addEventListener(name, act);
  for (const [id, name] of [['prev', 'prev'], ['next', 'next'], ['in', 'plus'], ['out', 'minus'], ['theme', 'sun'], ['close', 'close']]) $(id).append(icon(name));
  on('live', toggleLive); on('prev', () => step(-1)); on('next', () => step(1)); on('theme', flip); on('help', help); on('save', save);
  on('in', () => setZoom(.5)); on('out', () => setZoom(2)); on('fit', () => setZoom(0)); on('undo', undo); on('close', closeReel); on('inject', () => compose('inject'));
  on('newest', () => { stick = true; wantPicture(); }); on('fold', fold); on('recorded', () => setMode('recorded')); on('rehearsed', () => setMode('rehearsed'));
  on('against', wantAll, 'change'); on('search', search, 'input');
  on('search', event => {
    if (event.key === 'Enter') match(event.shiftKey ? -1 : 1);
    if (event.key !== 'Escape') return;
    event.target.value = '';
    onlyLane = -1;
    layLanes();
    search();
    $('list').focus();
  }, 'keydown');
  on('list', () => {
    const box = $('list');
    stick = box.scrollTop + box.clientHeight > box.scrollHeight - rowHeight;
    if (P) paintList();
  }, 'scroll');
  on('range', event => goto(event.target.value - 1), 'input');
  on('open', () => $('file').click());
  on('file', event => { open(event.target.files[0]); event.target.value = ''; }, 'change');
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => { event.preventDefault(); if (P) open(event.dataTransfer.files[0]); });
  addEventListener('keydown', pressKey);
  // The address keeps its fragment, which contains the token.
  addEventListener('click', event => {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    const part = $(link.hash.slice(1));
    part.scrollIntoView();
    part.querySelector('button:not([disabled]),canvas,[tabindex="0"]')?.focus({ preventScroll: true });
  });
  light.addEventListener('change', () => { if (!kept('theme')) setTheme(light.matches ? 'light' : 'dark'); });
  new ResizeObserver(() => { layLanes(); wantAll(); }).observe(document.body);
  document.addEventListener('visibilitychange', () => document.hidden ? link.close() : connect());
  // The countdown to the next try.
  setInterval(() => {
    if (link.status !== 'gone' || document.hidden) return;
    if (--link.retryIn <= 0) connect(); else paintAlert();
    wantPicture();
  }, 1000);
}

setTheme(kept('theme') ?? (light.matches ? 'light' : 'dark'));
buildMeters();
wireTimeline();
wire();
connect();
requestAnimationFrame(paint);
