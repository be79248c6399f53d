// The shared parts: elements, icons, texts of numbers and times.

const $ = id => document.getElementById(id);
const root = document.documentElement;
const SECOND = 1e9, MILLISECOND = 1e6;

/** Makes an element. An attribute with a function as its value listens to that event; false and null are omitted. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value != null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child != null && child !== false));
  return element;
}

/** Writes texts and attributes only if they change: most stay the same from one picture to the next. */
const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };
const setAttribute = (element, name, value) => {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
};

const ICONS = {
  prev: 'M10 4 6 8l4 4', next: 'M6 4l4 4-4 4', plus: 'M8 4v8M4 8h8', minus: 'M4 8h8', ok: 'M3.5 8.5l3 3 6-7',
  note: 'M3.5 3.5h9v6l-3 3h-6z', off: 'M8 3v5M4.8 5a4.6 4.6 0 1 0 6.4 0', grip: 'M6 4v.1M10 4v.1M6 8v.1M10 8v.1M6 12v.1M10 12v.1',
  lock: 'M4.5 7.5h7v5h-7zM6 7.5V5.3a2 2 0 0 1 4 0v2.2', open: 'M4.5 7.5h7v5h-7zM6 7.5V5a2 2 0 0 1 3.8-.9',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1', close: 'M5 5l6 6M11 5l-6 6',
};

/** Makes a line drawing: each path with its class. */
function drawing(box, name, ...paths) {
  const space = 'http://www.w3.org/2000/svg', svg = document.createElementNS(space, 'svg');
  for (const [key, value] of [['viewBox', box], ['class', name], ['aria-hidden', 'true']]) svg.setAttribute(key, value);
  for (const [line, kind] of paths) {
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', line);
    path.setAttribute('class', kind ?? '');
    svg.append(path);
  }
  return svg;
}
const icon = name => drawing('0 0 16 16', 'i', [ICONS[name]]);
const iconButton = (name, label, click, more) =>
  h('button', { type: 'button', 'aria-label': label, title: label, click, ...more }, icon(name));

/** Makes the mark in a lens's colour. */
function tick(color) {
  const mark = h('span', { class: 'tick', 'aria-hidden': 'true' });
  mark.style.setProperty('--c', color);
  return mark;
}
const lensHue = lens => (lens * 47 + 165) % 360;
const lensColor = lens => lens < 0 ? 'var(--accent)' : `oklch(var(--lens-l) .1 ${lensHue(lens)})`;

/** A time of the film: `01:02.345`. */
function clock(nanoseconds) {
  const ms = Math.floor(nanoseconds / MILLISECOND), s = Math.floor(ms / 1000);
  const two = x => String(x).padStart(2, '0'), hours = Math.floor(s / 3600);
  return `${hours ? hours + ':' : ''}${two(Math.floor(s / 60) % 60)}:${two(s % 60)}.${String(ms % 1000).padStart(3, '0')}`;
}
/** A span of time, as short as possible. */
const span = t => t < MILLISECOND ? '0' : t < SECOND ? Math.round(t / MILLISECOND) + ' ms'
  : t < 60 * SECOND ? (t / SECOND).toFixed(t < 10 * SECOND ? 2 : 1) + ' s' : Math.round(t / 60 / SECOND) + ' min';
const number = n => n == null ? '' : n.toLocaleString('en').replaceAll(',', '\u202f');
const bytes = n => n < 1024 ? n + ' B' : n < 1048576 ? Math.round(n / 1024) + ' kB' : (n / 1048576).toFixed(1) + ' MB';

/** Sends a text to screen readers, at most three times per second. */
let lastSaid = 0;
function say(text) {
  if (performance.now() - lastSaid < 300) return;
  lastSaid = performance.now();
  $('say').textContent = text;
}
let toastTimer;
function toast(text) {
  $('toast').textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { $('toast').textContent = ''; }, 4500);
}

/** The settings that the page stores, if the browser allows it. */
function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch { return null; }
}
