// The panel as it is: inputs that can be operated, outputs, sounds, values, the statechart, the wiring.

/** The drawing of each thing, by `KIND NAME`. */
let parts = new Map();

/** Executes a step of a scenario on the simulated panel. */
function world(step) {
  if (!isLive()) { goLive(); toast('Back to live: inputs act on the panel now'); }
  link.world(step).catch(refused);
}
const canPress = () => P.isControl && P.isSimulated;

/** A device with its picture, name, word and lines. */
function module(kind, thing, picture, detail) {
  const word = h('span', { class: 'v' }), lines = thing.lines ?? [];
  const element = h('div', { class: thing.column == null && kind === 'input' && !P.isPanel ? 'mod bare' : 'mod', id: 'm-' + thing.name }, picture, h('b', { title: thing.name }, thing.name), word,
    h('span', { class: 'm', title: lines.join(', ') }, detail ?? (lines.length > 2 ? `${lines[0]}+${lines.length - 1}` : lines.map((line, i) => i ? line.replace(/^GPIO/, '') : line).join(','))));
  parts.set(`${kind} ${thing.name}`, { element, word, picture });
  return element;
}

/** A button that is down while the pointer, Space or Enter is down. */
function pushButton(input) {
  let isDown = false;
  // If no frame contains the state of the button, the element shows it.
  const tell = event => { if (input.column == null) setAttribute(event.currentTarget, 'aria-pressed', isDown); };
  const press = event => { if (!isDown && !event.repeat) { isDown = true; world('press ' + input.name); tell(event); } };
  const release = event => { if (isDown) { isDown = false; world('release ' + input.name); tell(event); } };
  return h('button', {
    class: input.hold ? 'push hold' : 'push', 'aria-label': 'Press ' + input.name, 'aria-pressed': 'false', 'aria-disabled': canPress() ? null : 'true',
    pointerdown: event => { event.target.setPointerCapture(event.pointerId); press(event); },
    pointerup: release, pointercancel: release, blur: release, keyup: release, contextmenu: event => event.preventDefault(),
    keydown: event => { if (event.key === ' ' || event.key === 'Enter') { event.preventDefault(); press(event); } },
  });
}
function inputPicture(input) {
  const off = canPress() ? null : 'true';
  switch (input.control) {
  case 'button': return pushButton(input);
  case 'switch': return h('button', {
    class: 'sw', role: 'switch', 'aria-label': 'Switch ' + input.name, 'aria-checked': 'false', 'aria-disabled': off,
    click: event => {
      const words = input.positions ?? ['off', 'on'];
      world(`switch ${input.name}=${words[event.currentTarget.getAttribute('aria-checked') === 'true' ? 0 : 1]}`);
    },
  });
  case 'knob': return h('div', { class: 'enc', role: 'group', 'aria-label': input.name },
    iconButton('prev', `Turn ${input.name} counterclockwise`, () => world(`turn ${input.name}=-1`), { 'aria-disabled': off }),
    h('span', { class: 'knob' }),
    iconButton('next', `Turn ${input.name} clockwise`, () => world(`turn ${input.name}=1`), { 'aria-disabled': off }));
  case 'sensor': return h('input', {
    type: 'number', class: 'sense', step: 'any', 'aria-label': 'Sense ' + input.name, disabled: !canPress(),
    change: event => world(`sense ${input.name}=${event.target.value}`),
  });
  case 'selector': return h('div', { class: 'emitter', role: 'group', 'aria-label': input.name }, ...input.positions.map(word =>
    h('button', {
      'aria-label': `Switch ${input.name} to ${word}`, 'aria-disabled': off,
      click: () => world(`switch ${input.name}=${word}`),
    }, word)));
  case 'events': return eventButtons(input);
  default: return h('span', { class: 'led' });
  }
}
/** A button for each event, and a field for the number that some of them carry. */
function eventButtons(input) {
  const carriers = input.carriers ?? [];
  const number = carriers.length > 0 && h('input', {
    type: 'number', class: 'sense', step: 'any', 'aria-label': 'Number of ' + input.name, disabled: !canPress(),
    value: input.min / 10 ** (input.decimals ?? 0),
  });
  return h('div', { class: 'emitter', role: 'group', 'aria-label': input.name }, number, ...input.events.map((event, i) =>
    h('button', {
      'aria-label': `${input.name} ${event}`, 'aria-disabled': canPress() ? null : 'true',
      click: () => world(`event ${input.name}="${event}${carriers.includes(i) ? ' ' + number.value : ''}"`),
    }, event)));
}
function outputPicture(output) {
  if (output.picture === 'bar') return h('span', { class: 'segments' }, ...Array.from({ length: Math.min(10, output.lamps ?? 4) }, () => h('i')));
  if (output.picture === 'contact') return drawing('0 0 44 28', 'relay', ['M2 18h10'], ['M32 18h10'], ['M12 18h20', 'arm']);
  return output.picture === 'screen' ? h('pre', { class: 'm screen' }) : h('span', { class: 'led' });
}

function stateChip(state) {
  const button = h('button', {
    class: 'st', 'data-state': state.name, 'aria-describedby': 'why',
  }, state.name, state.after.some(after => after.ns) && h('i'));
  for (const kind of ['pointerenter', 'focus', 'click']) button.addEventListener(kind, () => explain(state));
  for (const kind of ['pointerleave', 'blur']) button.addEventListener(kind, () => explain());
  parts.set('state ' + state.id, { button });
  if (!state.regions.length) return button;
  button.classList.add('head');
  const group = h('div', { class: 'group', role: 'group', 'aria-label': state.name }, button,
    ...state.regions.map(i => h('div', { class: 'inner' }, ...P.regions[i].states.map(s => stateChip(P.states[s])))));
  parts.get('state ' + state.id).group = group;
  return group;
}

function buildFace() {
  parts = new Map();
  const row = (label, modules) => modules.length ? h('div', { class: 'row', role: 'group', 'aria-label': label }, ...modules) : null;
  const bars = () => h('span', { class: 'sound' }, ...'12345'.split('').map(() => h('i')));
  const lines = [...P.inputs, ...P.outputs].flatMap(device => (device.lines ?? []).map(line => [line, device.name, device.kind]));
  const face = $('face');
  document.body.classList.toggle('plain', !P.isPanel && !P.inputs.length);
  document.body.classList.toggle('program', !P.isPanel);
  if (!P.isPanel) {
    face.replaceChildren(...P.inputs.length
      ? [h('div', { class: 'plate', role: 'group', 'aria-label': 'Lines of ' + P.name }, row('Inputs', P.inputs.map(input => module('input', input, inputPicture(input), ' ')))),
        h('p', { class: 'none' }, 'Simulated input lines. Their effects appear under drivers, frame and events.')] : []);
    return;
  }
  face.replaceChildren(
    h('div', { class: 'plate', role: 'group', 'aria-label': 'Panel of ' + P.name },
      row('Inputs', P.inputs.map(input => module('input', input, inputPicture(input)))),
      row('Outputs', P.outputs.map(output => module('output', output, outputPicture(output)))),
      row('Sounds and values', [
        ...P.sounds.map(sound => module('sound', sound, bars(), sound.file?.replace(/.*\//, '') ?? sound.tone ?? '')),
        ...P.values.map(value => module('value', value, h('span', { class: 'num' }), value.capacity ? 'list' : `${valueText(value, value.min)}–${valueText(value, value.max)}`)),
      ])),
    h('div', { class: 'chart', role: 'group', 'aria-label': 'Statechart' }, ...P.regions.filter(region => !region.owner).map(region =>
      h('div', { class: 'region', role: 'group', 'aria-label': region.label }, h('h3', {}, region.label), ...region.states.map(s => stateChip(P.states[s]))))),
    h('div', { class: 'why', id: 'why' }),
    lines.length ? h('details', {}, h('summary', {}, 'Wiring' + (P.chip ? ', ' + P.chip : '')),
      h('table', {}, h('tbody', {}, ...lines.map(([line, name, kind]) => h('tr', {}, h('td', { class: 'm' }, line), h('td', {}, name), h('td', { class: 'q' }, kind)))))) : '');
  explain();
}

/** The transitions of a state; without a state, the effects of the event shown. */
let explained = null;
function explain(state) {
  const box = $('why');
  explained = state;
  if (!box) return;
  for (const chip of document.querySelectorAll('.st.to')) chip.classList.remove('to');
  if (!state) {
    const row = rowShown();
    if (!row) return void box.replaceChildren('Point at a state to see its transitions.');
    const entered = (row.c ?? []).filter(([column]) => P.byColumn.get(column)?.region).map(([column, x]) => cell(column, x));
    return void box.replaceChildren('Last: ', h('b', {}, `${sourceName(row)} ${told(row)}`),
      row.d ? ' → ' + (entered.filter(name => name !== '-').join(', ') || 'values only') : ', nothing changed');
  }
  const around = [];
  for (let s = state; s?.id > 0; s = P.states[P.regions[s.region].owner]) around.push(s);
  const lists = around.flatMap(one => [...one.on, ...one.after].map(way => ({ ...way, of: one === state ? '' : one.name })));
  box.replaceChildren(...(lists.length ? lists.slice(0, 12).map(way => {
    if (way.to != null) parts.get('state ' + way.to)?.button.classList.add('to');
    return h('div', {}, way.event ?? `after ${afterText(way)}`, way.if ? way.if === true ? ' if its condition holds' : ` if ${way.if}` : '', ' → ', h('b', {}, way.go ?? way.set?.join?.(', ') ?? 'stays'),
      way.of && h('span', { class: 'q' }, ' from ' + way.of));
  }) : ['It has no transitions.']));
}

function paintFace(frame, t) {
  if (!P.isPanel) return;
  const shown = shows(frame), playing = played(frame), now = current(frame);
  const isGone = P.missing.some(([name, column]) => /^(gpio|chip)/.test(name) && frame[column] > 0);
  const paint = (key, isOn, text) => {
    const part = parts.get(key);
    part.element.classList.toggle('on', !!isOn);
    setText(part.word, text);
    return part.picture;
  };
  for (const input of P.inputs) {
    const position = positionOf(input, frame), words = input.positions ?? [];
    const isNumber = input.reading != null && !(input.control === 'events' && (words.length || position < 0));
    const reading = isNumber ? frame[input.reading] / 10 ** (input.decimals ?? 0) : null;
    const picture = paint('input ' + input.name, position && reading == null, reading != null ? String(reading)
      : input.control === 'button' ? cell(input.column, position) : words[position] ?? (input.control === 'knob' ? 'turns' : position < 0 ? 'unknown' : ''));
    if (picture.matches('.push,.sw')) setAttribute(picture, picture.matches('.sw') ? 'aria-checked' : 'aria-pressed', !!position);
    else if (picture.matches('.led')) picture.classList.toggle('on', !!position);
    else if (picture.matches('.sense') && document.activeElement !== picture) picture.value = reading;
  }
  for (const output of P.outputs) {
    const is = look(output, shown, frame), picture = paint('output ' + output.name, is.on, isGone ? 'no line' : is.text);
    if (output.picture === 'screen') setText(picture, is.text);
    else if (output.picture === 'bar') [...picture.children].forEach((lamp, i) => lamp.classList.toggle('on', i < Math.round(is.share * picture.children.length)));
    else if (output.picture !== 'contact') {
      const [on, off] = is.blink ?? [], name = is.blink ? off > on * 3 ? 'blink wink' : 'blink' : is.pulse ? 'pulse' : is.on ? 'on' : '';
      setAttribute(picture, 'class', 'led ' + name);
      picture.style.setProperty('--p', is.blink ? on + off + 'ms' : (is.pulse ?? 2000) + 'ms');
      picture.style.setProperty('--share', is.share || 1);
      if (is.colour) picture.style.setProperty('--lamp', is.colour); else picture.style.removeProperty('--lamp');
    }
  }
  for (const sound of P.sounds) {
    const isOn = isHeard(frame, sound, playing), age = isOn ? t - view().since(rowIndex(), sound.starts) : 0;
    paint('sound ' + sound.name, isOn, !isOn ? 'silent' : sound.length ? `${(Math.min(age, sound.length) / SECOND).toFixed(1)} / ${sound.length / SECOND} s` : 'sounding');
  }
  for (const value of P.values) setText(parts.get('value ' + value.name).picture, valueText(value, frame[value.column]));
  for (const state of P.states) {
    const { button, group } = parts.get('state ' + state.id) ?? {}, is = now.includes(state);
    if (!button) continue;
    button.classList.toggle('live', is);
    group?.classList.toggle('live', is);
    if (is) setAttribute(button, 'aria-current', 'true'); else button.removeAttribute('aria-current');
    const after = state.after.find(after => after.ns), bar = button.querySelector('i');
    if (bar) bar.style.transform = `scaleX(${is ? Math.min(1, Math.max(0, (t - enteredAt(frame, state)) / after.ns)) : 0})`;
  }
  document.body.classList.toggle('gone', isGone);
  document.body.classList.toggle('past', !isLive() || link.status !== 'live');
}
/** The moment at which a current state was entered, on the program's clock. A frame contains it for each region. */
function enteredAt(frame, state) {
  const at = frame[P.regions[state.region].entered];
  return at > 0 ? at - (film().header?.start ?? 0) : 0;
}
