// The timeline: the film's strip, a lane for each region, device and lens, and the whole film below.

const RULER = 20, STRIP = 30;
/** The part of the film that is drawn: its length, and its end. */
const zoom = {
  span: 30 * SECOND, end: 0,
  follow() { this.end = timeShown() + this.span * .02; },
  /** Moves so that a time is visible; nothing is drawn before the film's beginning. */
  show(t) {
    if (t < this.end - this.span * .95 || t > this.end - this.span * .05) this.end = t + this.span * .4;
    this.end = Math.max(this.end, view().begin + this.span * .98);
  },
};
let lanes = [], laneHeight = 14, hover = -1, onlyLane = -1, colors = {};

function readColors() {
  const style = getComputedStyle(root), get = name => style.getPropertyValue('--' + name).trim();
  colors = Object.fromEntries(['bg', 'pane', 'raised', 'line', 'edge', 'fg', 'fg2', 'fg3', 'fill', 'on-fill', 'accent', 'tint', 'red', 'red-tint', 'reel', 'trace']
    .map(name => [name, get(name)]));
  colors.lens = lens => `oklch(${get('lens-l')} .1 ${lensHue(lens)})`;
}

/** The lanes from top to bottom. A panel with many devices has one lane per lens. */
function layLanes() {
  if (!P) return;
  laneHeight = innerHeight < 900 ? 12 : 14;
  const perDevice = P.inputs.length + P.outputs.length <= 40, devices = lens => perDevice ? P.members[lens] : [];
  lanes = [
    { kind: 'ruler', height: RULER }, { kind: 'strip', height: STRIP, name: 'frames', film: film() },
    ...(isFilm() ? [] : [{ kind: 'strip', height: STRIP, name: reel.name, film: view(), isOther: true }]),
    ...toldRegions().slice(0, 8).map(region => ({ kind: 'region', height: laneHeight + 4, name: region.label, region })),
    ...P.lenses.flatMap((lens, i) => devices(i).length ? devices(i).map(device => ({ kind: 'device', height: laneHeight, name: device.name, lens: i, device }))
      : [{ kind: 'lens', height: laneHeight, name: lens.name, lens: i }]),
  ];
  let y = 0;
  for (const lane of lanes) { lane.y = y; y += lane.height; }
  lanes.height = y + 4;
  const isFocused = $('lanes').contains(document.activeElement) ? onlyLane : null;
  $('lanes').replaceChildren(...lanes.map(lane => {
    const name = h('span', { title: lane.name }, lane.name ?? '');
    const item = h('li', {}, lane.lens == null ? name : h('button', {
      'aria-label': 'Only ' + lane.name, 'aria-pressed': String(onlyLane === lane.name), click: () => showOnly(lane.name),
    }, tick(lensColor(lane.lens)), name));
    item.style.height = lane.height + 'px';
    if (lane.region) item.className = 'region-name';
    return item;
  }));
  if (isFocused != null) $('lanes').querySelector('[aria-pressed=true]')?.focus();
}
function showOnly(name) {
  onlyLane = onlyLane === name ? -1 : name;
  $('search').value = onlyLane === -1 ? '' : name;
  rebuild();
  layLanes();
  wantAll();
}

/** Makes a canvas with the resolution of the screen. Returns its context and its width. */
function prepare(canvas, height) {
  const width = canvas.clientWidth, scale = Math.min(2, devicePixelRatio || 1), size = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) {
    [canvas.width, canvas.height] = size;
    canvas.style.height = height + 'px';
  }
  const pen = canvas.getContext('2d');
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  return [pen, width];
}

const MONOSPACE = '10.5px ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace';
const STEPS = [1e-3, 2e-3, 5e-3, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600];

function drawTimeline() {
  const [pen, width] = prepare($('film'), lanes.height), end = zoom.end, start = end - zoom.span;
  const x = t => (t - start) / zoom.span * width, { rows } = view();
  const fill = (color, ...box) => { pen.fillStyle = color; pen.fillRect(...box); };
  const look = { pen, width, x, start, end, fill };
  pen.clearRect(0, 0, width, lanes.height);
  pen.textBaseline = 'middle';
  pen.font = MONOSPACE;
  drawRuler(look);
  if (view().first != null) {
    for (const lane of lanes) if (lane.kind === 'strip') drawStrip(look, lane);
    if (film().lost || film().rows.some(row => row.kind === 'l')) drawHoles(look);
    if (reel.fork != null) drawFork(look);
    drawLanes(look, rows);
  }
  if (isFilm() && x(now()) < width) {
    pen.globalAlpha = .5;
    fill(colors.bg, x(now()), RULER, width, lanes.height);
    pen.globalAlpha = 1;
  }
  if (hover >= 0) {
    fill(colors.edge, hover, 0, 1, lanes.height);
    fill(colors.raised, Math.min(hover + 4, width - 76), 2, 74, 16);
    pen.fillStyle = colors.fg;
    pen.fillText(clock(Math.max(0, start + hover / width * zoom.span)), Math.min(hover + 8, width - 72), 10);
  }
  const here = x(timeShown()), thick = isLive() ? 1 : 2;
  if (here < -1 || here > width + 1) return;
  fill(colors.accent, Math.round(here) - thick / 2, 0, thick, lanes.height);
  pen.beginPath();
  for (const [dx, y] of [[-5, 0], [5, 0], [5, 5], [0, 10], [-5, 5]]) pen.lineTo(here + dx, y);
  pen.fill();
}

function drawRuler({ pen, width, x, start, end }) {
  const step = STEPS.find(s => s * SECOND / zoom.span * width > 84) ?? 86400;
  pen.fillStyle = colors.fg3;
  pen.strokeStyle = colors.line;
  pen.beginPath();
  for (let i = Math.max(0, Math.ceil(start / SECOND / step)); i * step * SECOND < end; i++) {
    const at = Math.round(x(i * step * SECOND)) + .5;
    pen.moveTo(at, 0);
    pen.lineTo(at, lanes.height);
    if (at + 60 < width) pen.fillText(clock(Math.round(i * step * 1e6) * 1e3).slice(0, step < 1 ? undefined : -4), at + 4, 10);
  }
  pen.stroke();
}

/** The strip of a film: a picture for each frame, perforations, and the frame shown in light. */
function drawStrip({ pen, width, x, start, fill }, { film: of, y, height, isOther }) {
  const from = of.rows[0] && isOther && reel.fork != null ? reel.fork : of.begin, until = Math.min(x(isOther ? of.end : now()), width);
  let i = of.index(Math.max(start, from)), last = Math.max(x(from), -2), n = of.rows[i]?.n ?? of.firstNumber, drawn = 0;
  fill(isOther ? colors.tint : colors.reel, last, y + 1, Math.max(0, until - last), height - 2);
  if (isOther) {
    pen.strokeStyle = colors.accent;
    pen.setLineDash([3, 2]);
    pen.strokeRect(Math.round(last) + .5, y + 1.5, Math.max(0, until - last), height - 3);
    pen.setLineDash([]);
  }
  const lit = of === view() ? rowShown()?.n ?? of.firstNumber : -1, perforated = last;
  const picture = (a, b) => {
    const gap = b - a > 4 ? 1.5 : .5;
    pen.fillStyle = n === lit ? colors.fill : colors.pane;
    pen.beginPath();
    pen.roundRect(a + gap / 2, y + 7, Math.max(1, b - a - gap), height - 14, 2);
    pen.fill();
    if (b - a < 10 + 7 * String(n).length) return;
    pen.fillStyle = n === lit ? colors['on-fill'] : colors.fg2;
    pen.fillText(n, Math.max(a, 0) + 5, y + height / 2 + .5);
  };
  for (i++; i <= of.rows.length && drawn < 60000; i++) {
    const row = of.rows[i], at = row ? x(row.t) : until;
    if (row && !row.d && row.kind !== 'f') continue;
    const b = Math.min(at, until);
    if (b - last > 1.4 || at >= until) { picture(last, b); last = b; drawn++; }
    if (row) n = row.n;
    if (at >= until) break;
  }
  for (let at = perforated > 0 ? perforated + 3 : ((x(0) % 8) + 8) % 8 - 8; at < until - 4; at += 8) {
    fill(colors.pane, at, y + 3, 4, 2);
    fill(colors.pane, at, y + height - 5, 4, 2);
  }
}

function drawHoles({ pen, width, x, fill }) {
  const { rows } = film(), { y } = lanes[1];
  rows.forEach((row, i) => {
    if (row.kind !== 'l') return;
    const next = rows.slice(i + 1, i + 4096).find(other => other.kind === 'f'), a = x(row.t), b = Math.max(a + 2, x(next?.t ?? rows[i + 1]?.t ?? film().end));
    if (b < 0 || a > width) return;
    fill(colors['red-tint'], a, y, b - a, lanes.height);
    pen.save();
    pen.beginPath();
    pen.rect(a, y, b - a, STRIP);
    pen.clip();
    pen.strokeStyle = colors.red;
    pen.beginPath();
    for (let at = Math.max(a, 0) - 40; at < Math.min(b, width); at += 6) { pen.moveTo(at, y + STRIP); pen.lineTo(at + STRIP, y); }
    pen.stroke();
    pen.restore();
    pen.fillStyle = colors.red;
    if (b - a > 56) pen.fillText(b - a > 150 ? told(row).split(';')[0] : number(row.count) + ' lost', a + 6, y + STRIP + 10);
  });
}

/** A curve out of the film where the take leaves it, and one back where both are equal again. */
function drawFork({ pen, x }) {
  const film = lanes[1], take = lanes[2];
  pen.strokeStyle = colors.accent;
  pen.lineWidth = 1.5;
  for (const [t, way] of [[reel.fork, 1], [reel.meet, -1]]) {
    if (t == null) continue;
    const at = x(t), top = film.y + STRIP;
    pen.beginPath();
    pen.moveTo(at - way * 14, top - 2);
    pen.bezierCurveTo(at, top, at - way * 14, take.y + 10, at, take.y + take.height / 2);
    pen.stroke();
  }
  pen.lineWidth = 1;
}

/** The trace of a lane: the value in a frame, and the drawing of a stretch with that value. */
function traceOf(lane, { pen, x, fill }) {
  const { y, device } = lane, bottom = y + laneHeight - 4, full = laneHeight - 6;
  const stretch = (color, alpha, a, b, top, height) => {
    pen.globalAlpha = alpha;
    fill(color, a, top, b - a, height);
    pen.globalAlpha = 1;
  };
  if (lane.region) return {
    of: frame => path(frame, lane.region),
    draw(a, b, name) {
      fill(colors.raised, a, y + 2, b - a, laneHeight);
      fill(colors.edge, a, y + 2, 1, laneHeight);
      if (b - Math.max(a, 0) < name.length * 6.4 + 10) return;
      pen.fillStyle = colors.fg;
      pen.fillText(name, Math.max(a, 0) + 6, y + lane.height / 2 + .5);
    },
  };
  if (device && P.inputs.includes(device)) return device.column == null ? null : {
    of: frame => positionOf(device, frame) ? 1 : 0,
    draw: (a, b, isOn) => stretch(colors.lens(lane.lens), isOn ? .55 : .35, a, b, isOn ? y + 3 : bottom, isOn ? full : 1),
  };
  if (device) return {
    of: (frame, shown) => { const is = look(device, shown(), frame); return is.on ? JSON.stringify([is.share, is.blink]) : ''; },
    draw(a, b, value) {
      if (!value) return stretch(colors.trace, .3, a, b, bottom, 1);
      const [share, blink] = JSON.parse(value), period = blink ? (blink[0] + blink[1]) * MILLISECOND / zoom.span * (x(zoom.end) || 1) : 0;
      const height = Math.max(1, full * share), top = y + 3 + full - height;
      if (period < 3) return stretch(colors.trace, blink ? .5 : .8, a, b, top, height);
      for (let at = a + period * Math.max(0, Math.floor(-a / period)); at < b; at += period) stretch(colors.trace, .75, at, Math.min(b, at + period * blink[0] / (blink[0] + blink[1])), top, height);
    },
  };
  if (P.sounds.length && P.lenses[lane.lens]?.driver.includes('Audio')) return {
    of: (frame, shown, playing) => { const names = playing(); return P.sounds.some(sound => isHeard(frame, sound, names)) ? 1 : 0; },
    draw(a, b, isOn) {
      if (!isOn) return;
      for (let at = Math.max(-3, Math.round(a)); at < b; at += 3) {
        const height = 2 + Math.abs(Math.sin((at - x(0)) * 1.7)) * (laneHeight - 7);
        stretch(colors.trace, .6, at, at + 2, y + laneHeight / 2 - height / 2, height);
      }
    },
  };
  return null;
}

/** Reads the visible rows once: draws states and outputs as stretches, then a mark for each event. */
function drawLanes(look, rows) {
  const { pen, width, x, start, end } = look;
  const first = view().index(start), frame = view().at(first), traces = [], marks = new Map(), places = new Map();
  let memo = {};
  const shown = () => memo.shown ??= shows(frame), playing = () => memo.playing ??= played(frame);
  for (const lane of lanes) {
    if (lane.lens != null) {
      if (lane.device) places.set(`${lane.lens} ${lane.device.index}`, lane);
      // Rows of the whole lens are in its first lane.
      if (!places.has(String(lane.lens))) places.set(String(lane.lens), lane);
    }
    const trace = P.isPanel && lane.kind !== 'strip' && lane.kind !== 'ruler' ? traceOf(lane, look) : null;
    if (trace) traces.push({ ...trace, at: Math.max(-2, x(view().begin)), value: trace.of(frame, shown, playing) });
  }
  // Rows of the same lens and device are in the same lane.
  const known = new Map(), laneOf = row => {
    const key = Array.isArray(row.value) && Number.isInteger(row.value[0]) ? row.lens * 65536 + row.value[0] : -1 - row.lens;
    if (!known.has(key)) known.set(key, places.get(`${row.lens} ${memberOf(row)?.index}`) ?? places.get(String(row.lens)));
    return known.get(key);
  };
  const set = [];
  // Traces are read once per half pixel, however many rows are there.
  let looked = -9, due = null;
  const lookAt = at => {
    memo = {};
    [looked, due] = [at, null];
    for (const trace of traces) {
      const value = trace.of(frame, shown, playing);
      if (value === trace.value) continue;
      trace.draw(trace.at, at, trace.value);
      [trace.at, trace.value] = [at, value];
    }
  };
  for (let i = first + 1; i < rows.length && rows[i].t <= end; i++) {
    const row = rows[i], at = x(row.t);
    if (row.c) {
      if (due !== null && at - looked >= .5) lookAt(due);
      view().apply(frame, row);
      if (at - looked >= .5) lookAt(at); else due = at;
    }
    const lane = laneOf(row), drawn = lane && (marks.get(lane) ?? marks.set(lane, []).get(lane));
    if (drawn && (drawn.at(-1)?.at ?? -9) < at - .8) drawn.push({ at, row });
    else if (row.kind === 's') set.push(at);
  }
  if (due !== null) lookAt(due);
  const until = Math.min(width, x(isFilm() ? now() : view().end));
  for (const trace of traces) trace.draw(trace.at, until, trace.value);
  for (const [lane, list] of marks) for (const mark of list) drawMark(pen, lane, mark);
  for (const at of set) look.fill(colors.fill, at - 1, lanes[1].y, 3, STRIP);
}

/** Bar: the world; dot: an answer; diamond: injected or edited; red through all lanes: trouble. */
function drawMark(pen, lane, { at, row }) {
  const x = Math.round(at), { y } = lane, middle = y + laneHeight / 2;
  pen.globalAlpha = row.mark === 'off' || row.mark === 'ghost' ? .35 : 1;
  pen.fillStyle = colors.lens(row.lens);
  if (row.kind === 't') {
    pen.fillStyle = isReturn(row) ? colors.edge : colors.red;
    pen.fillRect(x, lanes[1].y, 1, lanes.height - lanes[1].y);
    pen.fillRect(x - 2, y + 2, 5, laneHeight - 4);
  } else if (row.kind === 'i' || row.mark && row.mark !== 'ghost' && row.mark !== 'off') {
    pen.fillStyle = colors.fill;
    pen.beginPath();
    for (const [dx, dy] of [[0, -6], [5, 0], [0, 6], [-5, 0]]) pen.lineTo(x + dx, middle + dy);
    pen.fill();
  } else if (isOfTheWorld(row)) pen.fillRect(x, y + 2, 1.5, laneHeight - 4);
  else {
    pen.beginPath();
    pen.arc(x, middle, 2.5, 0, 7);
    pen.fill();
  }
  if (film().notes.has(idOf(row))) {
    pen.fillStyle = colors.fill;
    pen.fillRect(x - 1, 14, 3, 5);
  }
  pen.globalAlpha = 1;
}

/** The whole film: the number of events over time, the part that is drawn above, notes, the cursor. */
function drawWhole() {
  const [pen, width] = prepare($('whole'), 24), { rows } = view(), total = Math.max(zoom.end, view().end, 1), x = t => t / total * width;
  pen.fillStyle = colors.bg;
  pen.fillRect(0, 0, width, 24);
  const counts = new Uint32Array(Math.ceil(width) + 1), step = Math.max(1, Math.floor(rows.length / 20000));
  for (let i = 0; i < rows.length; i += step) counts[Math.floor(x(rows[i].t))]++;
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  pen.fillStyle = colors.edge;
  counts.forEach((count, at) => {
    const height = 3 + 17 * Math.sqrt(count / most);
    if (count) pen.fillRect(at, 23 - height, 1, height);
  });
  pen.fillStyle = colors.fill;
  if (film().notes.size) for (const row of rows) if (film().notes.has(idOf(row))) pen.fillRect(x(row.t) - 1, 0, 2, 5);
  const a = Math.max(.5, Math.round(x(zoom.end - zoom.span)) + .5), b = Math.min(width - 1, x(zoom.end));
  pen.strokeStyle = colors.fg3;
  pen.strokeRect(a, .5, Math.max(4, b - a - 1), 23);
  pen.fillStyle = colors.accent;
  pen.fillRect(Math.round(x(timeShown())) - 1, 0, 2, 24);
}

/** Zooms around a time; factor 0 shows the whole film. */
function setZoom(factor, around = timeShown()) {
  const total = Math.max(SECOND, view().end) * 1.04, was = zoom.span;
  zoom.span = factor ? Math.max(20 * MILLISECOND, Math.min(Math.max(total, 30 * SECOND), was * factor)) : total;
  zoom.end = factor ? around + (zoom.end - around) * zoom.span / was : view().end * 1.02;
  if (isLive() && factor) zoom.follow();
  wantAll();
}

function wireTimeline() {
  const canvas = $('film'), timeAt = x => zoom.end - zoom.span + x / canvas.clientWidth * zoom.span;
  let held = null;
  const listen = (name, act, options) => canvas.addEventListener(name, act, options);
  listen('pointerdown', event => {
    held = { x: event.offsetX, end: zoom.end, isMoved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  listen('pointermove', event => {
    hover = event.offsetX;
    const by = held ? event.offsetX - held.x : 0;
    if (Math.abs(by) > 4) {
      held.isMoved = true;
      if (isLive()) pause();
      zoom.end = held.end - by / canvas.clientWidth * zoom.span;
    }
    wantPicture();
  });
  listen('pointerup', event => {
    if (held && !held.isMoved) {
      const t = timeAt(event.offsetX), i = view().index(t), { rows } = view();
      const isNextNearer = rows[i + 1] && (i < 0 || rows[i + 1].t - t < t - rows[i].t);
      if (isFilm() && t > now()) goLive(); else goto(isNextNearer ? i + 1 : i);
    }
    held = null;
  });
  listen('pointerleave', () => { hover = -1; wantPicture(); });
  listen('wheel', event => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      setZoom(Math.exp(event.deltaY / 300), timeAt(event.offsetX));
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      if (isLive()) pause();
      zoom.end += event.deltaX / canvas.clientWidth * zoom.span;
      wantPicture();
    }
  }, { passive: false });
}
