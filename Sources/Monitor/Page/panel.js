// The description from the panel's program (devices, states, lenses), and the meaning of a frame in its terms.

/** The description, after it was received. */
let P;

function learn(description) {
  const { film, panel = {} } = description;
  P = {
    ...description, ...panel, name: panel.name ?? film.app, host: location.host, lenses: film.lenses, columns: film.columns,
    isControl: description.control, isSimulated: description.simulated, isPanel: panel.states?.length > 0,
  };
  for (const list of ['inputs', 'outputs', 'sounds', 'values', 'states', 'regions']) P[list] ??= [];
  P.places = new Map((P.columns ?? []).map((name, column) => [name, column]));
  P.states.forEach((state, i) => { Object.assign(state, { id: i, regions: [] }); });
  const top = P.regions.filter(region => !region.owner).length;
  P.regions.forEach((region, i) => {
    region.id = i;
    region.label = region.name ?? P.states[region.owner].name ?? '';
    if (!region.label) region.label = top > 1 ? `state ${i}` : 'state';
    P.states[region.owner].regions.push(i);
    for (const state of region.states) P.states[state].region = i;
  });
  P.byColumn = new Map();
  for (const [kind, things] of [['region', P.regions], ['value', P.values], ['input', P.inputs]]) {
    for (const thing of things) P.byColumn.set(thing.column, { [kind]: thing });
  }
  P.sounds.forEach(sound => { sound.once = P.places.get(sound.name + '.once'); });
  P.members = P.lenses.map((_, lens) => [...P.inputs, ...P.outputs].filter(device => device.lens === lens));
  P.missing = [...P.places].filter(([name]) => name.endsWith('.missing'));
}

const stateIn = (frame, region) => frame[region.column] ?? -1;
/** The current states, the outermost first. */
function current(frame) {
  const found = [], visit = regions => regions.forEach(i => {
    const state = P.states[stateIn(frame, P.regions[i])];
    if (!state) return;
    found.push(state);
    visit(state.regions);
  });
  visit(P.regions.filter(region => !region.owner).map(region => region.id));
  return found;
}
/** The innermost current state of a region with those around it: `moving/closing`. */
function path(frame, region) {
  let state = P.states[stateIn(frame, region)], text = state?.name ?? '-';
  while (state) {
    const inner = P.regions[state.regions[0]];
    if (!inner || inner.name) break;
    state = P.states[stateIn(frame, inner)];
    if (state) text += '/' + state.name;
  }
  return text;
}
/** The regions that are shown separately. The others are part of the path of one of these. */
const toldRegions = () => P.regions.filter(region => !region.owner || region.name);

/** The number of an input without a reading. */
const UNKNOWN = -(2 ** 63);
const ARITHMETIC = {
  '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => b ? Math.floor(a / b) : 0,
  mod: (a, b) => b ? a - b * Math.floor(a / b) : 0, min: Math.min, max: Math.max, abs: Math.abs,
};
const RELATIONS = {
  '==': (a, b) => a === b, '!=': (a, b) => a !== b, '<': (a, b) => a < b, '<=': (a, b) => a <= b,
  '>': (a, b) => a > b, '>=': (a, b) => a >= b,
};

/** A number of a condition in a frame. */
function numberOf(of, frame) {
  if (typeof of === 'number') return of;
  const [word, first, second, place] = of;
  if (word === 'column') return frame[first];
  if (word === 'element') {
    const i = numberOf(place, frame);
    return i === UNKNOWN ? UNKNOWN : i >= 1 && i <= frame[second] ? frame[first + i - 1] : 0;
  }
  const parts = of.slice(1).map(part => numberOf(part, frame));
  return parts.includes(UNKNOWN) ? UNKNOWN : ARITHMETIC[word](...parts);
}

/** Whether a condition holds in a frame: true, false, null if that is unknown, undefined if only the panel can compute it. */
function holds(condition, frame) {
  if (!condition) return undefined;
  const [word, first, second] = condition;
  switch (word) {
    case 'is': return frame[first] === second;
    case 'at': return frame[first] < 0 ? null : frame[first] === second;
    case 'some': return frame[first] > 0;
    case 'not': { const is = holds(first, frame); return is == null ? is : !is; }
    case 'and': case 'or': {
      const all = condition.slice(1).map(part => holds(part, frame)), decides = word === 'or';
      return all.includes(decides) ? decides : all.includes(undefined) ? undefined : all.includes(null) ? null : !decides;
    }
  }
  const a = numberOf(first, frame), b = numberOf(second, frame);
  return a === UNKNOWN || b === UNKNOWN ? null : RELATIONS[word](a, b);
}

/** A look that a condition chooses which only the panel can compute. */
const BY_CONDITION = { text: 'by condition' };
/** The look of an entry in a frame. */
function chosen(look, frame) {
  for (const choice of look.when ?? []) {
    const is = holds(choice.if, frame);
    if (is === undefined) return BY_CONDITION;
    if (is) return chosen(choice.look, frame);
  }
  return look.when ? chosen(look.else, frame) : look;
}
/** The value of each output: the entry of the innermost current state that has one, else the top level's. */
function shows(frame) {
  const shown = [];
  for (const state of [P.states[0], ...current(frame)]) for (const { output, look } of state.show) shown[output] = chosen(look, frame);
  return shown;
}
const isHeard = (frame, sound, playing) =>
  (playing.has(sound.name) || frame[sound.once] === 1) && frame[sound.ended] !== 1;
const played = frame => new Set(current(frame).flatMap(state => state.play));

/** The look of an output: a word for people, whether it is on, and its share of the whole if it has one. */
function look(output, shown, frame) {
  const what = shown[P.outputs.indexOf(output)] ?? 'off', name = what?.value, value = name != null && P.values.find(x => x.name === name);
  if (value) {
    const share = value.max > value.min ? (frame[value.column] - value.min) / (value.max - value.min) : 1;
    return { on: share > 0, share, text: `${valueText(value, frame[value.column])} of ${valueText(value, value.max)}` };
  }
  if (what === 'off' || what === 'on') {
    const isOn = what === 'on';
    return { on: isOn, share: +isOn, text: output.picture === 'contact' ? isOn ? 'closed' : 'open' : what };
  }
  if (what.blink) return { on: true, share: 1, blink: what.blink, text: 'blinking' };
  if (what.pulse) return { on: true, share: 1, pulse: what.pulse, text: 'pulsing' };
  if (what.level != null) return { on: what.level > 0, share: what.level, text: `${Math.round(what.level * 100)} %` };
  if (what.count != null) return { on: what.count > 0, share: what.count / (output.lamps || 1), text: String(what.count) };
  return { on: what !== BY_CONDITION, share: +(what !== BY_CONDITION), text: what.text ?? String(what), colour: what.colour };
}
/** A duration to the millisecond: `250 ms`, `3.2 s`, `4:59.9`. */
function duration(ms) {
  if (ms < 1000) return ms + ' ms';
  if (ms < 60000) return ms / 1000 + ' s';
  const seconds = ms % 60000 / 1000;
  return `${Math.floor(ms / 60000)}:${seconds < 10 ? '0' : ''}${seconds}`;
}
const valueText = (value, x) => {
  if (value.capacity) return `${x} of ${value.capacity}`;
  if (value.unit === 'ms' && !value.decimals) return duration(x);
  return String(x / 10 ** (value.decimals ?? 0)) + (value.unit ? ` ${value.unit}` : '');
};

/** The position of an input; a knob has none. */
const positionOf = (input, frame) => input.column == null ? 0 : frame[input.column];

/** A number of a frame in words for people. */
function cell(column, x) {
  const { region, value, input } = P.byColumn.get(column) ?? {};
  return region ? P.states[x]?.name ?? '-' : value ? valueText(value, x) : (input?.control === 'button' ? ['up', 'down'] : input?.positions)?.[x] ?? String(x);
}
const columnName = column => P.byColumn.get(column)?.region?.label ?? P.columns[column];
/** Whether a change of a column is shown in the list: not the columns that a frame uses internally. */
const isTold = column => !/\.(entries|left|entered|once|losses)$|^number |^now$|^chance$|^touches$/.test(P.columns[column]);

/** The device of a row; null for a lens without devices, or if the event belongs to none. */
function memberOf(row) {
  const members = P.members[row.lens] ?? [];
  if (!members.some(member => member.shared)) return members.length === 1 ? members[0] : null;
  return Array.isArray(row.value) ? members.find(member => member.index === row.value[0]) ?? null : null;
}
const sourceName = row => memberOf(row)?.name ?? P.lenses[row.lens]?.name ?? (row.lens === -1 ? 'monitor' : 'film');

/** The text of an event for people. */
function said(value) {
  if (typeof value === 'string') return value;
  const [key] = value && !Array.isArray(value) && typeof value === 'object' ? Object.keys(value) : [];
  if (key && Object.keys(value).length === 1) {
    const inner = value[key];
    if (inner?._0?.reason) return `${key}: ${inner._0.reason}`;
    const words = inner && typeof inner === 'object' ? Object.values(inner).map(said) : [said(inner)];
    return [key, ...words].join(' ');
  }
  return typeof value === 'number' ? String(value) : JSON.stringify(value) ?? '';
}
/** The text of a model for people: `level 2`, `on`; several values are separated by commas. */
function brief(value) {
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(brief).join(', ') || '—';
  return Object.entries(value).map(([key, inner]) => {
    const text = /^_\d+$/.test(key) ? brief(inner) : `${key} ${brief(inner)}`;
    return text.trim();
  }).join(', ');
}
/** The time that a deadline waits. */
const afterText = after => after?.ns ? span(after.ns) : 'a time';
function told(row) {
  if (row.kind === 'l') return row.from ? `events ${row.from} to ${row.to} have not come yet` : `${number(row.count)} records did not fit; hole up to the next whole frame`;
  if (row.kind === 'f') return 'whole frame';
  if (row.kind === 's') return 'frame set';
  const driver = P.lenses[row.lens]?.driver ?? '';
  if (driver.includes('PanelDeadline') && Array.isArray(row.value)) {
    const [kind, which, place] = row.value;
    if (kind === 0) return `${afterText(P.states[which]?.after[place])} in ${P.states[which]?.name || 'the panel'}`;
    return kind === 1 ? `${P.inputs[which]?.name ?? which} due` : 'begin';
  }
  return said(memberOf(row)?.shared ? row.value[1] : row.value);
}
/** Whether a row comes from the world, and not from a driver's own answer. */
const isOfTheWorld = row => (P.isPanel ? P.inputs.some(input => input.lens === row.lens) : /Button|Switch|Encoder|Keypad|Sensor|Thermometer/.test(P.lenses[row.lens]?.driver))
  && !/held|clicked/.test(JSON.stringify(row.value));
