// The connection to the panel's program. Its protocol is in docs/internals/monitor-protocol.md.

const hash = new URLSearchParams(location.hash.slice(1));

/** The token from the page's address. It is sent as a header, and is not part of any requested address. */
const token = hash.get('token') ?? location.hash.slice(1);

class Link {
  /** `waiting`, `live`, `gone` or `hidden`. */
  status = 'waiting';
  /** The duration of the last request in milliseconds. */
  delay = null;
  /** The seconds until the next try, and the number of tries without success. */
  retryIn = 0;
  tries = 0;
  stop = null;
  tail = '';

  async ask(method, path, body) {
    const start = performance.now(), stop = new AbortController(), timer = setTimeout(() => stop.abort(), 20000);
    try {
      const answer = await fetch(path, {
        method, signal: stop.signal, cache: 'no-store', body: body && JSON.stringify(body),
        headers: { Authorization: 'Bearer ' + token, ...(body && { 'Content-Type': 'application/json' }) },
      });
      this.delay = Math.round(performance.now() - start);
      const text = await answer.text();
      if (answer.ok) return text;
      let reason = text;
      try { reason = JSON.parse(text).error ?? text; } catch {}
      throw Object.assign(new Error(reason.trim() || `status ${answer.status}`), { status: answer.status });
    } finally { clearTimeout(timer); }
  }
  get = async path => JSON.parse(await this.ask('GET', path));
  post = async (path, body) => JSON.parse(await this.ask('POST', path, body));

  panel = () => this.get('/api/panel');
  frame = n => this.get('/api/frame/' + n);
  takeFrame = (take, n) => this.get(`/api/takes/${take}/frame/${n}`);
  range = async (from, to) => (await this.ask('GET', `/api/film?from=${from}&to=${to}`)).split('\n').filter(line => line);
  world = step => this.post('/api/world', { step });
  show = n => this.post('/api/show', { frame: n });
  inject = (lens, event) => this.post('/api/inject', { lens, event });
  approve = (event, approved) => this.post('/api/approve', { event, approved });
  note = (event, text) => this.post('/api/note', { event, text });
  save = (as, from, to, take) => this.ask('POST', '/api/save', { as, from, to, ...(take && { take }) });
  /** Makes a take of the film. Returns its number and the lines of its film. */
  take = async (edits, mode) => {
    let { take } = await this.post('/api/takes', { edits });
    if (mode === 'rehearsed') ({ take } = await this.post(`/api/takes/${take}/rehearse`, {}));
    const lines = (await this.ask('GET', `/api/takes/${take}/film`)).split('\n').filter(line => line);
    return { take, lines };
  };

  /** Reads the stream from an event (1: from the oldest) to its end. `receive` gets each message's name and text. */
  async open(from, receive) {
    this.close();
    const stop = this.stop = new AbortController();
    let quiet;
    const hear = () => { clearTimeout(quiet); quiet = setTimeout(() => stop.abort(), 45000); };
    try {
      hear();
      const answer = await fetch('/api/events' + (from > 1 ? '?from=' + from : ''), {
        signal: stop.signal, cache: 'no-store',
        headers: { Authorization: 'Bearer ' + token, Accept: 'text/event-stream', ...(from > 1 && { 'Last-Event-ID': String(from - 1) }) },
      });
      if (!answer.ok) throw new Error((await answer.text()).trim() || `status ${answer.status}`);
      [this.status, this.tries, this.tail] = ['live', 0, ''];
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part; !(part = await reader.read()).done;) {
        hear();
        const messages = this.messages(part.value);
        if (messages.length) receive(messages);
      }
    } catch (error) {
      if (this.stop === stop) this.reason = error.message;
    } finally { clearTimeout(quiet); }
    if (this.stop === stop) this.lose();
  }

  /** The complete messages in the received text; keeps the rest. Drops an incomplete message above 8 MiB. */
  messages(text) {
    const parts = (this.tail + text).split('\n\n');
    this.tail = parts.pop();
    if (this.tail.length > 8388608) this.tail = '';
    return parts.map(part => {
      const message = { name: '', data: '' };
      for (const line of part.split('\n')) {
        if (line.startsWith('data: ')) message.data += line.slice(6);
        else if (line.startsWith('event: ')) message.name = line.slice(7);
      }
      return message;
    }).filter(message => message.data);
  }

  /** Notes that the connection is lost: the next try is in 1, 2, 4, at most 8 seconds. */
  lose() {
    this.stop = null;
    this.status = 'gone';
    this.retryIn = Math.min(8, 2 ** this.tries++);
  }

  close() {
    this.stop?.abort();
    this.stop = null;
    this.status = 'hidden';
  }
}
const link = new Link();
