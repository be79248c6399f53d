// Takes: edits of a film, which itself stays unchanged. The panel's program runs them.

/** The event that edits change: that of the row shown. */
const target = () => { const row = rowShown(); return row && isCause(row) ? row : null; };

/** The film's events in the order of a take, each with the result of its edits. The film's rows are not changed. */
function plan(take) {
  const rows = film().rows.filter(row => isCause(row) && row.k <= take.to), times = rows.map(row => row.t);
  const places = rows.map(row => ({ src: row.k, row })), at = k => places.findIndex(place => place.src === k);
  let inserted = 0;
  for (const line of take.edits) {
    const [verb, a, b, c] = line.split(' '), place = places[at(+a)];
    if (verb === 'off') place.mark = 'off';
    else if (verb === 'on') delete place.mark;
    else if (verb === 'edit') place.mark = 'edited';
    else if (verb === 'insert') {
      const i = at(+b);
      places.splice(i + 1, 0, { src: --inserted, mark: 'inserted' });
      times.splice(i + 1, 0, parseInt(line.split(' ')[4]));
    } else if (verb === 'move') {
      const [moved] = places.splice(at(+a), 1);
      places.splice(at(+c), 0, Object.assign(moved, { mark: 'moved' }));
    }
  }
  const timed = places.map((place, i) => ({ ...place, t: times[i] }));
  // A number that was set is a separate record, after its event and numbers that were set before.
  for (const line of take.edits) {
    const [verb, k] = line.split(' ');
    if (verb !== 'frame') continue;
    let i = timed.findIndex(place => place.src === +k);
    const { t } = timed[i];
    while (timed[i + 1]?.isSet) i++;
    timed.splice(i + 1, 0, { src: --inserted, mark: 'edited', isSet: true, t });
  }
  return timed.filter((place, i) => !place.isSet || timed.slice(0, i).findLast(one => !one.isSet).mark !== 'off');
}

/** A name in an edit; between quotation marks if it contains blanks. */
const word = name => /^[^\s"]+$/.test(name) ? name : JSON.stringify(name);

/** The rows of a take with their original events. Removed events, and answers no longer given, are struck through. */
function joined(take, made) {
  const places = plan(take), rows = made.rows.filter(isCause), result = new Film();
  [result.header, result.first, result.tip, result.firstNumber, result.begin] = [made.header, made.first, made.first?.slice?.(), made.firstNumber, made.begin];
  let n = made.firstNumber;
  const add = row => { result.push(row); n = row.n; };
  const struck = (place, mark) => place.row && add({ ...place.row, k: 0, src: place.src, t: place.t, n, d: null, c: null, mark });
  if (take.mode === 'recorded') {
    let i = 0;
    for (const place of places) {
      if (place.mark === 'off') struck(place, 'off');
      else if (rows[i]) {
        add({ ...rows[i], src: place.src, mark: place.mark ?? rows[i].mark });
        i++;
      }
    }
    for (; i < rows.length; i++) add({ ...rows[i], src: 0 });
    return result;
  }
  // A rehearsal makes its own answers. An answer that is equal to one in the film at about the same moment is the
  // film's event. Other events of the film are shown struck through in their place.
  const open = places.slice(), all = [];
  const pass = place => { all.push({ t: place.t, add: () => struck(place, place.mark === 'off' ? 'off' : 'ghost') }); };
  for (const row of rows) {
    while (open.length && open[0].t < row.t - SECOND / 20) pass(open.shift());
    const i = open.slice(0, 64).findIndex(place => place.mark !== 'off' && Math.abs(place.t - row.t) < SECOND / 20 && place.row && isSame({ ...place.row, kind: row.kind }, row));
    const place = i < 0 ? null : open.splice(i, 1)[0];
    all.push({ t: row.t, add: () => add({ ...row, src: place?.src ?? 0, mark: place?.mark }) });
  }
  open.forEach(pass);
  for (const one of all.sort((a, b) => a.t - b.t)) one.add();
  return result;
}

async function runTake(take) {
  const { take: id, lines } = await link.take(take.edits, take.mode), made = new Film(), source = film();
  for (const line of lines) made.read(line);
  take.id = id;
  take.to = source.rows.findLast(row => isCause(row) && row.t <= made.end)?.k ?? source.last;
  take.film = joined(take, made);
  [take.film.notes, take.film.approved, take.film.end] = [source.notes, source.approved, made.end];
  // The places where the take differs from the film for the first time, and where they are equal again.
  const part = source.rows.filter(row => isCause(row) && row.k <= take.to), rows = take.film.rows;
  const agree = (one, other) => isSame(one, other) && one.t === other.t && one.d === other.d && !other.mark;
  let i = 0, j = 0;
  while (i < Math.min(part.length, rows.length) && agree(part[i], rows[i])) i++;
  take.fork = rows[i]?.t ?? part[i]?.t ?? made.end;
  while (j < Math.min(part.length, rows.length) - i && agree(part.at(-1 - j), rows.at(-1 - j))) j++;
  take.meet = j ? rows.at(-j).t : null;
}

let isPlaying = false;
/** Plays a take, one at a time. Returns whether it succeeded. */
async function tryTake(take) {
  if (isPlaying) { toast('The last edit is still being played'); return false; }
  isPlaying = true;
  try { await runTake(take); } catch (error) { toast(error.message); return false; } finally { isPlaying = false; }
  return true;
}

/** Adds an edit to the take shown; while the film is shown, begins a take with it. */
async function edit(line) {
  if (reel.edits == null && !isFilm()) return toast('Only the live recording can be edited');
  if (link.status === 'gone') return toast('The panel’s program runs edited recordings, and the page cannot reach it');
  const row = rowShown(), id = row && idOf(row);
  const take = isFilm()
    ? { name: `Copy ${1 + reels.reduce((most, one) => Math.max(most, one.number ?? 0), 0)}`, edits: [], mode: 'recorded', to: film().last }
    : reel;
  take.number ??= +take.name.slice(5);
  const edits = take.edits;
  take.edits = [...edits, line];
  if (!await tryTake(take)) { take.edits = edits; return; }
  if (!reels.includes(take) && !addReel(take)) return;
  reel = take;
  const place = take.film.rows.findLastIndex(one => line.startsWith('insert') ? one.mark === 'inserted' : idOf(one) === id);
  cursor = Math.max(0, place);
  choose(Object.assign(take, { cursor }));
}
async function rerun(change) {
  const take = reel, was = { edits: take.edits, mode: take.mode };
  Object.assign(take, change);
  if (!await tryTake(take)) return void Object.assign(take, was);
  if (reel !== take) return;
  cursor = Math.min(cursor ?? 0, reel.film.rows.length - 1);
  reelBar();
  rebuild();
  wantAll();
}
const undo = () => reel.edits?.length > 1 ? rerun({ edits: reel.edits.slice(0, -1) }) : reel.edits && closeReel();
const setMode = mode => reel.edits && rerun({ mode });

const toggle = row => row && edit(`${row.mark === 'off' ? 'on' : 'off'} ${idOf(row)}`);
function shift(by) {
  const row = target(), rows = view().rows.filter(one => isCause(one) && idOf(one) > 0), at = rows.indexOf(row);
  if (at < 0) return;
  const other = by < 0 ? rows[at - 1] : rows[at + 1];
  if (!other) return toast('There is no event to move past');
  edit(by < 0 ? `move ${idOf(row)} before ${idOf(other)}` : `move ${idOf(other)} before ${idOf(row)}`);
}

const refused = error => toast(error.status === 403 ? 'This link only watches; open the one with the control token' : error.message);

function approve(row) {
  if (!row || !isCause(row) || idOf(row) < 0) return;
  const k = idOf(row), isApproved = !film().approved.has(k);
  isApproved ? film().approved.add(k) : film().approved.delete(k);
  wantAll();
  link.approve(k, isApproved).catch(refused);
}
function note(row) {
  if (!row || !isCause(row) || idOf(row) < 0) return;
  const k = idOf(row), box = h('input', { type: 'text', 'aria-label': 'Note', maxlength: 1000, value: film().notes.get(k) });
  dialog(`Note at event ${k}`, () => {
    box.value ? film().notes.set(k, box.value) : film().notes.delete(k);
    wantAll();
    link.note(k, box.value).catch(refused);
  }, 'Keep', box);
}
