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

/** The events that a lens can tell: what its devices say of themselves, and what the film has seen. */
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

/** A time between two, in seconds, with as few decimals as it needs. */
function between(from, to) {
  const texts = [3, 4, 5, 6, 9].map(decimals => ((from + to) / 2 / SECOND).toFixed(decimals));
  return texts.find(text => Math.round(text * SECOND) >= from && Math.round(text * SECOND) <= to) ?? texts[4];
}

/** Inserts an event behind the one shown, changes that one, or puts an event into the panel now. */
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
    try { JSON.parse(value); } catch { return refuse(`${value || 'nothing'} is no JSON; write an event as a film has it, "pressed"`); }
    if (kind === 'inject') return void link.inject(+lens.value, JSON.parse(value)).catch(refused);
    if (!isInsert) return void edit(`edit ${idOf(row)} ${value}`);
    const t = Math.round(+time.value * SECOND);
    if (!(t >= row.t && t <= next)) return refuse(`${time.value} s is not between ${row.t / SECOND} s and ${next / SECOND} s`);
    edit(`insert after ${idOf(row)} at ${t}ns ${P.lenses[+lens.value].name} ${value}`);
  }, { insert: 'Insert', edit: 'Change', inject: 'Inject' }[kind],
  h('div', { class: 'f' }, lens, event, json, isInsert && time, isInsert && 's'), fault,
  h('p', { class: 'q' }, kind === 'inject' ? 'The event meets the panel’s frame now, as if its driver had told it.' : 'The film stays as it is; the change is part of a take.'));
}

/** How the file of a text is called: a film, a scenario, or a test in Swift. */
const ending = text => text.startsWith('{') ? 'film' : /^(#.*\n)*scenario:/.test(text) ? 'scenario.yaml' : 'swift';

function save() {
  const most = film().last, k = Math.max(1, idOf(rowShown() ?? { k: most }));
  const bound = (label, value) => h('input', { type: 'number', 'aria-label': label, min: 1, max: most, value, input: () => preview() });
  const from = bound('From event', Math.max(1, k - 12)), to = bound('To event', Math.min(k, most));
  const text = h('pre', { class: 'm', tabindex: 0, 'aria-label': 'Preview' });
  let as = 'scenario', asked = 0;
  const kinds = h('div', { class: 'seg', role: 'radiogroup', 'aria-label': 'Save as' }, ...['scenario', 'film', 'test'].map(kind =>
    h('button', { type: 'button', role: 'radio', 'data-as': kind, click: () => { as = kind; preview(); } }, kind[0].toUpperCase() + kind.slice(1))));
  const preview = async () => {
    const number = ++asked;
    for (const button of kinds.children) setAttribute(button, 'aria-checked', button.dataset.as === as);
    let answer;
    try { answer = await link.save(as, +from.value, +to.value); } catch (error) { answer = error.message; }
    if (number === asked) setText(text, answer);
  };
  const download = () => {
    const address = URL.createObjectURL(new Blob([text.textContent]));
    h('a', { href: address, download: `${from.value}-${to.value}.${ending(text.textContent)}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    return false;
  };
  dialog('Save', download, 'Download', h('div', { class: 'f' }, kinds, 'events', from, 'to', to), text);
  preview();
}

const KEYS = [
  ['Space', 'live or pause'], ['← →', 'event before, after'], ['⇧← ⇧→', 'ten events'], ['[ ]', 'frame before, after'],
  ['Home End', 'first event, live'], ['+ − 0', 'zoom in, out, whole film'], ['P N', 'match before, after'], ['/', 'filter'],
  ['F', 'fold equal events'], ['A', 'approve'], ['M', 'note'], ['X', 'event off or on'], ['I', 'insert an event'],
  ['E', 'change the event'], ['Alt ↑ ↓', 'move the event'], ['J', 'inject an event now'], ['U', 'undo last edit'], ['T', 'next film or take'],
  ['R', 'as recorded or rehearsed'], ['S', 'save as'], ['O', 'open a film'], ['D', 'light or dark'],
  ['1 … 5', 'film, panel, drivers, frame, events'], ['?', 'this help'],
];
let hasKeys = kept('keys') !== 'off';
function help() {
  const rows = KEYS.map(([keys, text]) => h('div', {}, h('span', {}, text),
    h('span', {}, ...keys.split(' ').map(key => key === '…' ? ' … ' : h('kbd', {}, key)))));
  const box = h('input', { type: 'checkbox', checked: hasKeys, change: event => { hasKeys = event.target.checked; kept('keys', hasKeys ? 'on' : 'off'); } });
  dialog('Keyboard', null, '', h('div', { class: 'keys' }, ...rows),
    h('p', { class: 's' }, 'A button of the panel stays down as long as Space, Enter or the pointer is. Looking back never touches the panel.'),
    h('label', { class: 'f' }, box, 'Single keys are shortcuts'));
}
