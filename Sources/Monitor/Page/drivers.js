// The drivers: each lens with its model, its last event and its account.

function buildDrivers() {
  const head = (text, kind, width) => {
    const cell = h('th', { class: kind, scope: 'col' }, text);
    if (width) cell.style.width = width;
    return cell;
  };
  const kinds = ['', 's', 's', 'r m', 'r m', 'r m d', 'r m', 'r m'];
  const rows = P.lenses.map((lens, i) => {
    const cells = kinds.map(kind => h('td', { class: kind }));
    const driver = lens.driver.replace(/^(?:LineDriverArray|Each)<(.*)>$/, '$1').replace(/<.*/, '');
    cells[0].append(h('span', { class: 'name', title: lens.driver }, tick(lensColor(i)), h('span', {}, lens.name), driver !== lens.name && h('span', { class: 'q' }, driver)));
    const row = h('tr', {}, ...cells);
    parts.set('lens ' + i, { row, cells });
    return row;
  });
  $('lenses').replaceChildren(h('table', {}, h('thead', {}, h('tr', {}, head('Lens', '', '150px'), head('Model'), head('Last event'), head('/s', 'r', '44px'),
    head('Offered', 'r', '66px'), head('Delivered', 'r d', '76px'), head('Lost', 'r', '50px'), head('Pending', 'r', '66px'))), h('tbody', {}, ...rows)));
}

/** The model of a lens in a frame, as far as the page knows it without a request. */
function modelText(lens, frame, shown, playing) {
  const outputs = P.outputs.filter(output => output.lens === lens), { driver } = P.lenses[lens];
  if (outputs.length) return outputs.map(output => (outputs.length > 1 ? output.name + ' ' : '') + look(output, shown, frame).text).join(', ');
  const inputs = P.inputs.filter(input => input.lens === lens);
  if (inputs.length) return inputs.map(input => (input.lines ?? []).join('+')).filter(text => text).join(', ') || '—';
  if (driver.includes('Audio')) return P.sounds.filter(sound => isHeard(frame, sound, playing)).map(sound => sound.name).join(', ') || 'silent';
  if (driver.includes('Deadline')) return current(frame).flatMap(state => state.after.map(after => `${afterText(after)} in ${state.name}`)).join(', ') || 'nothing due';
  return '—';
}

function paintDrivers(frame) {
  const { rows } = view(), here = rowIndex(), last = [], rate = [], until = timeShown() - 10 * SECOND;
  for (let i = here, seen = 0; i >= 0 && seen < 4000; i--, seen++) {
    const row = rows[i];
    if (row.lens < 0) continue;
    last[row.lens] ??= row;
    if (row.t > until) rate[row.lens] = (rate[row.lens] ?? 0) + 1;
  }
  const shown = P.isPanel ? shows(frame) : [], playing = P.isPanel ? played(frame) : new Set();
  let lost = 0;
  P.lenses.forEach((_, lens) => {
    const { row, cells } = parts.get('lens ' + lens), counts = account?.lenses?.[lens], event = last[lens];
    setText(cells[1], P.isPanel ? modelText(lens, frame, shown, playing) : whole.models?.[lens] == null ? '—' : brief(whole.models[lens]) || '—');
    cells[1].title = cells[1].textContent;
    setText(cells[2], event ? `${memberOf(event) ? sourceName(event) + ' ' : ''}${told(event)}` : '—');
    cells[2].title = event ? clock(event.t) : '';
    setText(cells[3], rate[lens] ? (rate[lens] / 10).toFixed(1) : '·');
    for (let i = 0; i < 4; i++) setText(cells[4 + i], counts ? counts[i] ? number(counts[i]) : '·' : '');
    cells[6].classList.toggle('bad', counts?.[2] > 0);
    row.classList.toggle('hot', rows[here]?.lens === lens);
    lost += counts?.[2] ?? 0;
  });
  setText($('law'), account?.lenses ? lost ? `${number(lost)} lost: offered = delivered + lost + pending` : 'every event offered was delivered' : '');
}
