// Dialogs: insert and change an event, save, help.

/** Shows a dialog. `accept` may return false to keep it open. */
function dialog(title, accept, word, ...children) {
  const box = $('dialog'), cancel = h('button', { class: 'b', type: 'button', click: () => box.close() }, accept ? 'Cancel' : 'Close');
  const form = h('form', {
    method: 'dialog', submit: event => { if (accept?.() === false) event.preventDefault(); },
  }, h('h2', { id: 'dialog-title' }, title), ...children,
  h('footer', {}, cancel, accept && h('button', { class: 'main' }, word)));
  box.replaceChildren(form);
  if (!box.open) box.showModal();
  return form;
}

/** The events that a lens can emit: those that its devices declare, and those in the film. */
function eventsOf(lens) {
  const found = new Map();
  P.inputs.forEach(input => {
    if (input.lens !== lens) return;
    for (const word of input.events ?? []) found.set(JSON.stringify(input.shared ? [input.index, word] : word), `${input.name} ${word}`);
  });
  for (let i = view().rows.length - 1, seen = 0; i >= 0 && seen < 5000 && found.size < 60; i--, seen++) {
    const row = view().rows[i];
    if (row.lens === lens && row.kind !== 't') found.set(JSON.stringify(row.value), `${memberOf(row) ? sourceName(row) + ' ' : ''}${told(row)}`);
  }
  return found;
}

/** A time between two, in seconds, with as few decimals as possible. */
function between(from, to) {
  const texts = [3, 4, 5, 6, 9].map(decimals => ((from + to) / 2 / SECOND).toFixed(decimals));
  return texts.find(text => Math.round(text * SECOND) >= from && Math.round(text * SECOND) <= to) ?? texts[4];
}

/** Inserts an event after the one shown, changes that one, or puts an event into the panel now. */
function compose(kind) {
  const row = kind === 'inject' ? null : target();
  if (kind !== 'inject' && !(row && idOf(row) > 0)) return;
  const isInsert = kind === 'insert', next = row && (view().rows[rowIndex() + 1]?.t ?? view().end);
  const lens = h('select', { 'aria-label': 'Lens' }), event = h('select', { 'aria-label': 'Event' });
  const json = h('input', { type: 'text', class: 'm', 'aria-label': 'Event as JSON', 'aria-describedby': 'fault', hidden: true });
  const time = h('input', { type: 'text', class: 'm', 'aria-label': 'Time in seconds', 'aria-describedby': 'fault', value: row && between(row.t, next) });
  const fault = h('p', { id: 'fault', class: 's', role: 'alert' }, isInsert ? `Between ${row.t / SECOND} s and ${next / SECOND} s.` : '');
  const fill = () => {
    event.replaceChildren(...[...eventsOf(+lens.value)].map(([value, label]) => h('option', { value }, label)), h('option', { value: '' }, 'other, as JSON'));
    json.hidden = event.value !== '';
  };
  P.lenses.forEach((one, i) => {
    if (kind !== 'edit' || i === row.lens) lens.append(h('option', { value: i }, one.name));
  });
  if (row) lens.value = String(Math.max(0, row.lens));
  lens.addEventListener('change', fill);
  event.addEventListener('change', () => { json.hidden = event.value !== ''; });
  fill();
  const refuse = text => { fault.className = 'bad'; setText(fault, text); return false; };
  const title = { insert: `Insert after event ${row && idOf(row)}`, edit: `Change event ${row && idOf(row)}`, inject: 'Inject an event' }[kind];
  dialog(title, () => {
    const value = event.value || json.value;
    try { JSON.parse(value); } catch { return refuse(`${value || 'nothing'} is not JSON; write an event as a recording has it, such as "pressed"`); }
    if (kind === 'inject') return void link.inject(+lens.value, JSON.parse(value)).catch(refused);
    if (!isInsert) return void edit(`edit ${idOf(row)} ${value}`);
    const t = Math.round(+time.value * SECOND);
    if (!(t >= row.t && t <= next)) return refuse(`${time.value} s is not between ${row.t / SECOND} s and ${next / SECOND} s`);
    edit(`insert after ${idOf(row)} at ${t}ns ${word(P.lenses[+lens.value].name)} ${value}`);
  }, { insert: 'Insert', edit: 'Change', inject: 'Inject' }[kind],
  h('div', { class: 'f' }, lens, event, json, isInsert && time, isInsert && 's'), fault,
  h('p', { class: 'q' }, kind === 'inject' ? 'The panel handles the event now, as if its driver had emitted it.' : 'The recording stays as it is; the change is one of the edits.'));
}

/** The events of a range that are saved as tests, one film per event: up to 20 approved ones, or else the last. */
function testsOf(from, to) {
  const approved = view().rows.filter(row => isCause(row) && row.k >= from && row.k <= to && film().approved.has(idOf(row))).map(row => row.k);
  return approved.length ? approved.slice(0, 20) : [to];
}
/** The name of such a film, from its event: `12-bell-pressed.recording`. */
function testName(k) {
  const row = view().rows.find(one => isCause(one) && one.k === k), words = row ? `${sourceName(row)} ${told(row)}` : 'event';
  return [k, ...words.toLowerCase().split(/[^a-z0-9]+/).filter(word => word)].join('-').slice(0, 64) + '.recording';
}

function save() {
  if (!isFilm() && !reel.edits) return toast('A recording from a file is a file already; see panel recording --help for what can be made of it');
  const most = view().last, k = Math.max(1, rowShown()?.k || most), { id: take } = reel;
  const bound = (label, value) => h('input', { type: 'number', 'aria-label': label, min: 1, max: most, value, input: () => preview() });
  const from = bound('From event', Math.max(1, k - 12)), to = bound('To event', Math.min(k, most));
  const text = h('pre', { class: 'm', tabindex: 0, 'aria-label': 'Preview' });
  const forms = P.isPanel ? ['scenario', 'recording', 'test'] : ['recording', 'test'];
  let [as] = forms, asked = 0;
  const kinds = h('div', { class: 'seg', role: 'radiogroup', 'aria-label': 'Save as' }, ...forms.map(kind =>
    h('button', { type: 'button', role: 'radio', 'data-as': kind, click: () => { as = kind; preview(); } }, kind[0].toUpperCase() + kind.slice(1))));
  const preview = async () => {
    const number = ++asked;
    for (const button of kinds.children) setAttribute(button, 'aria-checked', button.dataset.as === as);
    let answer;
    try {
      const tested = as === 'test' ? testsOf(+from.value, +to.value) : [];
      answer = tested.length ? tested.map(testName).join('\n') + '\n\n' + await link.save('test', tested[0], tested[0], take) : await link.save(as, +from.value, +to.value, take);
    } catch (error) { answer = error.message; }
    if (number === asked) setText(text, answer);
  };
  const keep = (name, content) => {
    const address = URL.createObjectURL(new Blob([content]));
    h('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const download = () => {
    const range = [+from.value, +to.value];
    if (as !== 'test') link.save(as, ...range, take).then(content => keep(`${range.join('-')}.${as === 'recording' ? 'recording' : 'scenario.yaml'}`, content), refused);
    else for (const k of testsOf(...range)) link.save('test', k, k, take).then(content => keep(testName(k), content), refused);
    return false;
  };
  dialog(take ? 'Save ' + reel.name : 'Save', download, 'Download', h('div', { class: 'f' }, kinds, 'events', from, 'to', to), text);
  preview();
}

const KEYS = [
  ['Space', 'live or pause'], ['← →', 'event before, after'], ['⇧← ⇧→', 'ten events'], ['[ ]', 'frame before, after'],
  ['Home End', 'first event, live'], ['+ − 0', 'zoom in, out, whole recording'], ['P N', 'match before, after'], ['/', 'filter'],
  ['F', 'fold equal events'], ['A', 'approve'], ['M', 'note'], ['X', 'event off or on'], ['I', 'insert an event'],
  ['E', 'change the event'], ['Alt ↑ ↓', 'move the event'], ['J', 'inject an event now'], ['U', 'undo last edit'], ['T', 'next recording or edits'],
  ['R', 'as recorded or re-simulated'], ['S', 'save as'], ['O', 'open a recording'], ['D', 'light or dark'],
  ['1 … 5', 'recording, panel, drivers, frame, events'], ['?', 'this help'],
];
let hasKeys = kept('keys') !== 'off';
function help() {
  const rows = KEYS.map(([keys, text]) => h('div', {}, h('span', {}, text),
    h('span', {}, ...keys.split(' ').map(key => key === '…' ? ' … ' : h('kbd', {}, key)))));
  const box = h('input', { type: 'checkbox', checked: hasKeys, change: event => { hasKeys = event.target.checked; kept('keys', hasKeys ? 'on' : 'off'); } });
  dialog('Keyboard', null, '', h('div', { class: 'keys' }, ...rows),
    h('p', { class: 's' }, 'A button of the panel is held for as long as you hold Space, Enter or the pointer. Going back in time never changes the panel.'),
    h('label', { class: 'f' }, box, 'Single keys are shortcuts'));
}
