import Terminal

/// Places the parts of a console's picture in a window.
///
/// From the top: title, addresses of the monitor, the upper part (outputs, inputs, values), the state, the log, a line
/// of help. In windows of 100 columns or more, the state is to the right of the upper part. The log gets the remaining
/// rows. If there are too few rows, the upper part scrolls; state and log stay.
struct ConsoleLayout {
  /// A line, and its section, whose name is drawn before the section's first line.
  struct Line {
    var section: String
    var text: String
  }

  let columns: Int
  let rows: Int
  var title = ""
  var help = ""
  /// The rows below the title; left out in a window with less than 14 rows.
  var addresses: [String] = []
  /// The number of rows by which the upper part is scrolled down.
  var scroll = 0

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The least number of columns for a layout with two columns.
  private static let wideColumns = 100
  /// The least number of rows for a layout with rules.
  private static let tallRows = 14
  private static let labelWidth = 10

  // MARK: - Sections

  /// The rows of a section in a width of `columns`, without the section's name.
  ///
  /// - Parameter isRoomy: whether a note that doesn't fit beside its look is wrapped below it.
  static func section(_ name: String, _ rows: [ConsoleView.Row], in columns: Int, isRoomy: Bool = true) -> [Line] {
    let nameWidth = rows.map(\.name.count).max() ?? 0
    let lookWidth = rows.lazy.filter { !$0.note.isEmpty }.map { DisplayWidth.width(of: $0.look) }.max() ?? 0
    let width = columns - labelWidth
    return rows.flatMap { row in
      let head = "\(DisplayWidth.pad(row.name, to: nameWidth))  "
      guard !row.note.isEmpty else { return [Line(section: name, text: head + row.look)] }
      let note = visible(row.note)
      let indentation = nameWidth + 2 + lookWidth + 3
      if !isRoomy || indentation + note.count <= width {
        let text = "\(head)\(DisplayWidth.pad(row.look, to: lookWidth))   \(Style.dim)\(note)\(Style.plain)"
        return [Line(section: name, text: text)]
      }
      let wrapped = DisplayWidth.wrap(note, to: max(20, width - nameWidth - 4)).map {
        Line(section: name, text: "\(String(repeating: " ", count: nameWidth + 4))\(Style.dim)\($0)\(Style.plain)")
      }
      return [Line(section: name, text: head + row.look)] + wrapped
    }
  }

  // MARK: - Placing

  private typealias Part = (_ columns: Int, _ isRoomy: Bool) -> [Line]

  /// The rows between the title and the log.
  private struct Placed {
    var lines: [String]
    /// The number of rows that were scrolled out above.
    var scroll = 0
    var page = 1
  }

  private var isTall: Bool { rows >= Self.tallRows }
  private var hasTitle: Bool { rows >= 4 }

  /// - Parameters:
  ///   - upper: returns the upper part for a number of columns.
  ///   - state: returns the state, which stays visible when the upper part scrolls.
  ///   - log: returns the last lines of the log, at most this number of them; nil if no log is drawn.
  func drawing(
    upper: (_ columns: Int, _ isRoomy: Bool) -> [Line],
    state: (_ columns: Int, _ isRoomy: Bool) -> [Line] = { _, _ in [] },
    log: ((_ count: Int) -> [String])? = nil
  ) -> ConsolePicture.Drawing {
    // Title and help, and in tall windows a rule below the title and one on each side of the log.
    let addresses = isTall ? addresses.prefix(rows / 3) : []
    let frame = (hasTitle ? 1 : 0) + addresses.count + 1 + (isTall ? (log == nil ? 2 : 3) : 0)
    let leastLog = log == nil ? 0 : isTall ? 3 : rows >= 8 ? 2 : rows >= 3 ? 1 : 0
    let room = max(0, rows - frame - leastLog)
    let placed: Placed
    if columns >= Self.wideColumns, isTall, log != nil {
      placed = placeBeside(upper, state, room: room)
    } else {
      placed = placeBelow(upper, state, room: room, wantedLog: log == nil || !isTall ? 0 : 2)
    }
    var lines = (hasTitle ? [title] : []) + addresses
    if isTall { lines.append(rule()) }
    lines += placed.lines
    if let log {
      if isTall { lines.append(rule()) }
      let count = max(0, rows - lines.count - (isTall ? 2 : 1))
      let events = log(count)
      lines += events + [String](repeating: "", count: count - events.count)
    } else {
      lines += [String](repeating: "", count: max(0, rows - lines.count - (isTall ? 2 : 1)))
    }
    if isTall { lines.append(rule()) }
    lines = lines.prefix(max(0, rows - 1)) + [help]
    return ConsolePicture.Drawing(
      lines: lines.suffix(max(1, rows)).map { DisplayWidth.cut($0, to: columns) }, scroll: placed.scroll,
      page: placed.page)
  }

  /// Places the state below the upper part.
  ///
  /// - Parameter wantedLog: the number of further rows for the log that are reserved before notes are wrapped.
  private func placeBelow(_ upper: Part, _ state: Part, room: Int, wantedLog: Int) -> Placed {
    for isRoomy in [true, false] {
      let all = upper(columns, isRoomy) + state(columns, isRoomy)
      if all.count <= room - (isRoomy ? wantedLog : 0) { return Placed(lines: labelled(all)) }
    }
    var body = upper(columns, false)
    let rest = state(columns, false)
    // At least half of the rows are for the state. Rows that it doesn't need are for the upper part.
    let pinned = min(rest.count, max(1, room / 2, room - 1 - body.count))
    body += rest.dropFirst(pinned)
    let window = Window(on: body, heights: [max(0, room - pinned)], scroll: scroll)
    return Placed(
      lines: labelled(window.columns[0]) + (room > pinned ? sign(of: window) : []) + labelled(rest.prefix(pinned)),
      scroll: window.above,
      page: window.page)
  }

  /// Places the state to the right of the upper part, whose remaining rows continue below the state.
  private func placeBeside(_ upper: Part, _ state: Part, room: Int) -> Placed {
    // The left column is as wide as the upper part needs, up to half of the window.
    let half = (columns - 3) / 2
    let left = min(half, Self.labelWidth + (upper(half, true).map { DisplayWidth.width(of: $0.text) }.max() ?? 0) + 1)
    let right = columns - 3 - left
    for isRoomy in [true, false] {
      let (body, pinned) = (upper(left, isRoomy), state(right, isRoomy))
      if max(body.count, pinned.count) <= room - (isRoomy ? 2 : 0) {
        return Placed(lines: joined(labelled(body), labelled(pinned), left))
      }
    }
    var body = upper(left, false)
    // Notes are wrapped only if that hides no row.
    let roomy = state(right, true)
    let hasRoom = 2 * roomy.count <= room && body.count + roomy.count < 2 * room
    let rest = hasRoom ? roomy : state(right, false)
    let pinned = min(rest.count, max(1, room / 2, room - body.count))
    body += rest.dropFirst(pinned)
    // An empty row between the state and the rest of the upper part.
    let window = Window(on: body, heights: [room, max(0, room - pinned - 1)], scroll: scroll)
    let second = window.columns[1]
    let beside = labelled(rest.prefix(pinned)) + (second.isEmpty ? [] : [""]) + labelled(second)
    return Placed(
      lines: joined(labelled(window.columns[0]), beside, left) + sign(of: window), scroll: window.above,
      page: window.page)
  }

  /// The visible section of a part that may be too long for its columns.
  private struct Window {
    var columns: [[Line]]
    var above = 0
    var below = 0
    var page = 1

    /// - Parameter heights: the heights of the columns. If not everything fits, one row of each is kept free for the
    ///   sign that names the hidden rows.
    init(on body: [Line], heights: [Int], scroll: Int) {
      var heights = heights
      if body.count > heights.reduce(0, +) {
        heights = heights.map { max(0, $0 - 1) }
        let capacity = heights.reduce(0, +)
        above = min(max(0, scroll), body.count - capacity)
        below = body.count - capacity - above
        page = max(1, capacity - 1)
      }
      var rest = body.dropFirst(above)
      columns = heights.map { height in
        defer { rest = rest.dropFirst(height) }
        return Array(rest.prefix(height))
      }
    }
  }

  // MARK: - Lines

  /// The lines with the name of their section before the first of each.
  private func labelled(_ lines: some Sequence<Line>) -> [String] {
    var section: String?
    return lines.map { line in
      let label = line.section == section ? "" : line.section
      section = line.section
      return "\(Style.dim)\(DisplayWidth.pad(label, to: Self.labelWidth - 2))\(Style.plain)  \(line.text)"
    }
  }

  private func joined(_ left: [String], _ right: [String], _ width: Int) -> [String] {
    (0..<max(left.count, right.count)).map { row in
      let first = row < left.count ? DisplayWidth.cut(left[row], to: width) : ""
      let second = row < right.count ? right[row] : ""
      return "\(DisplayWidth.pad(first, to: width)) \(Style.dim)│\(Style.plain) \(second)"
    }
  }

  private func rule(_ text: String = "") -> String {
    let line = String(repeating: "─", count: max(0, columns - text.count))
    return "\(Style.dim)\(text)\(line)\(Style.plain)"
  }

  /// The number of hidden rows, and the keys that scroll to them; empty if nothing is hidden.
  private func sign(of window: Window) -> [String] {
    let (above, below) = (window.above, window.below)
    guard above + below > 0 else { return [] }
    let place = above == 0 ? " below" : below == 0 ? " above" : ": \(above) above, \(below) below"
    let text = "── \(counted(above + below, "row")) hidden\(place)"
    let long = "\(text) · ↑ ↓ PgUp PgDn scroll "
    return [rule(long.count <= columns ? long : "\(text) ")]
  }
}
