// A film as rows, and the frame at each of them.

const CAUSES = 'eist';
const isCause = row => CAUSES.includes(row.kind);
/** The displayed number of a row. In a take it is that of the film's event, negative for an inserted one. */
const idOf = row => row.src ?? row.k;

class Film {
  /** The maximum number of rows. If there are more, the oldest quarter is removed. */
  static most = 131072;
  static block = 256;

  rows = [];
  /** The frame after each block of rows, so that a jump reads only one block. */
  copies = [];
  first = null;
  /** The number of the first frame, and its time. */
  firstNumber = 0;
  begin = 0;
  tip = null;
  notes = new Map();
  approved = new Set();
  end = 0;
  lost = 0;
  /** The number of the last cause. */
  last = 0;
  /** Whether records were lost since then, so that numbers are missing. */
  hasLost = false;
  header = null;

  /** Adds a line of a film. Returns false for one that can't be read. */
  read(line) {
    let record;
    try { record = JSON.parse(line); } catch { return false; }
    if (!Array.isArray(record)) {
      if (record?.film !== 1) return false;
      this.header = record;
      return true;
    }
    this.add(record);
    return true;
  }

  add(record) {
    const [kind, a, b, c] = record;
    // After the fields of a film, a take marks the answers that would not have been given.
    const mark = record.length > 6 && record.at(-1)?.mark;
    if ('eit'.includes(kind)) {
      const [, k, t, lens, value, n, d, changes] = record;
      this.push({ kind, k, t, lens, value, n, d: d?.length === 16 ? d : null, c: Array.isArray(changes) ? changes : null, ...(mark && { mark }) });
    } else if (kind === 's') this.push({ kind, k: a, t: b, lens: -1, n: record[4], d: record[5], c: this.changes(c) });
    else if (kind === 'f') this.keyframe(a, b, c);
    else if (kind === 'l') this.hole(a, b);
    else if (kind === 'n') b && this.notes.set(b, c);
    else if (kind === 'a') b ? this.approved.add(a) : this.approved.delete(a);
    else if (kind === 'z') this.end = Math.max(this.end, b);
  }

  keyframe(n, t, frame) {
    if (this.first == null) {
      [this.first, this.firstNumber, this.begin] = [frame, n, t];
      this.tip = Array.isArray(frame) ? frame.slice() : frame;
    } else if (this.rows.at(-1)?.kind === 'l') {
      this.push({ kind: 'f', k: this.last, t, lens: -2, n, c: this.changes(frame), whole: frame });
    }
  }

  hole(t, count) {
    this.lost += count;
    this.hasLost = true;
    this.push({ kind: 'l', k: this.last, t, lens: -2, count, n: this.rows.at(-1)?.n ?? this.firstNumber });
  }

  /** The changes of a whole frame from the one before; null if frames are not rows of numbers. */
  changes(frame) {
    return Array.isArray(frame) && this.tip ? frame.flatMap((x, column) => x === this.tip[column] ? [] : [[column, x]]) : null;
  }

  push(row) {
    this.apply(this.tip, row);
    this.rows.push(row);
    this.end = Math.max(this.end, row.t);
    if (isCause(row) && row.k) [this.last, this.hasLost] = [row.k, false];
    if (this.rows.length % Film.block === 0) this.copies.push(this.tip?.slice?.());
  }

  apply(frame, row) {
    if (row.c) for (const [column, x] of row.c) frame[column] = x;
  }

  /** Inserts rows in place of a gap and of the whole frame after it, and makes the copies of frames again. */
  fill(place, records) {
    const part = new Film();
    part.last = this.rows[place - 1]?.k ?? 0;
    [part.first, part.tip] = [[], []];
    for (const record of records) if (CAUSES.includes(record[0])) part.add(record);
    this.rows.splice(place, this.rows[place + 1]?.kind === 'f' ? 2 : 1, ...part.rows);
    const rows = this.rows;
    [this.rows, this.copies, this.tip] = [[], [], this.first?.slice?.()];
    for (const row of rows) this.push(row);
  }

  /** Removes the oldest rows if there are too many. Returns their number. */
  trim() {
    if (this.rows.length <= Film.most) return 0;
    const count = Film.most / 4, blocks = count / Film.block;
    [this.first, this.firstNumber, this.begin] = [this.copies[blocks - 1], this.rows[count - 1].n, this.rows[count - 1].t];
    this.rows.splice(0, count);
    this.copies.splice(0, blocks);
    return count;
  }

  /** The row frame after row `i`; for -1, the first. */
  at(i) {
    const blocks = Math.floor((i + 1) / Film.block), frame = (blocks ? this.copies[blocks - 1] : this.first)?.slice?.() ?? [];
    for (let j = blocks * Film.block; j <= i; j++) this.apply(frame, this.rows[j]);
    return frame;
  }

  /** The last row at or before a time; -1 if there is none. */
  index(t) {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle].t <= t) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  /** The moment of a column's last change, at row `i`. */
  since(i, column) {
    for (; i >= 0; i--) if (this.rows[i].c?.some(change => change[0] === column)) return this.rows[i].t;
    return 0;
  }
}

/** Whether a row reports that lost hardware is back: good news among the troubles. */
const isReturn = row => row.kind === 't' && /^"restored"|^{"restored"/.test(JSON.stringify(row.value));
/** Whether two values are the same JSON. Names and short lists, the most common ones, are not converted to text. */
function isEqual(one, other) {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false;
  if (!Array.isArray(one)) return JSON.stringify(one) === JSON.stringify(other);
  return one.length === other.length && one.every((part, i) => isEqual(part, other[i]));
}
/** Whether two rows contain the same for the same lens. */
const isSame = (one, other) => one.lens === other.lens && one.kind === other.kind && isEqual(one.value, other.value);
