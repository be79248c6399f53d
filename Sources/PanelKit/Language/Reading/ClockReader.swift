import HardwareDrivers
import Terminal

/// Reads the times of day of a panel file: `clock`, and the keys of `at`.
package struct ClockReader {
  let problems: ProblemList

  package init(problems: ProblemList) { self.problems = problems }

  static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  // MARK: - The settings

  func definition(_ field: Field?) -> ClockDefinition {
    var clock = ClockDefinition()
    guard let field, let fields = problems.fields(field.node, Grammar.clock, at: field.position) else { return clock }
    let latitude = degrees(fields["latitude"], atMost: 90)
    let longitude = degrees(fields["longitude"], atMost: 180)
    if let latitude, let longitude {
      clock.place = Place(latitude: latitude, longitude: longitude)
    } else if fields["latitude"] == nil, let other = fields["longitude"] {
      problems.add(other.position, "\"longitude\" needs \"latitude\"; write latitude: 52.52, longitude: 13.40")
    } else if fields["longitude"] == nil, let other = fields["latitude"] {
      problems.add(other.position, "\"latitude\" needs \"longitude\"; write latitude: 52.52, longitude: 13.40")
    }
    clock.zone = zone(fields["zone"])
    if let field = fields["trust"], let text = problems.text(field) {
      switch text {
      case "synchronised": clock.trust = .synchronised
      case "machine": clock.trust = .machine
      default: problems.addWrong(field)
      }
    }
    return clock
  }

  /// An angle in millionths of a degree.
  private func degrees(_ field: Field?, atMost limit: Int) -> Int? {
    guard let field, let text = problems.text(field) else { return nil }
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    if isNumber, (1...2).contains(parts.count), let whole = Int(parts[0].prefix(4)) {
      let digits = parts.count == 2 ? parts[1].prefix(6) : ""
      let fraction = Int(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0
      let number = whole * 1_000_000 + fraction
      if number <= limit * 1_000_000 { return isNegative ? -number : number }
    }
    problems.addWrong(field)
    return nil
  }

  private func zone(_ field: Field?) -> String? {
    guard let field, let text = problems.text(field) else { return nil }
    let isGood = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    if !isGood { problems.addWrong(field) }
    return isGood ? text : nil
  }

  // MARK: - Times

  /// The minutes since midnight of `HH:MM`; nil for any other text.
  package static func minutes(_ text: some StringProtocol) -> Int? {
    text.utf8.count == 5 ? TimeOfDay(text)?.minutes : nil
  }

  /// `06:30`.
  package static func text(ofMinutes minutes: Int) -> String {
    TimeOfDay(secondsSinceMidnight: minutes * 60).description
  }

  /// Whether a text looks like a time of day, but is not one: `6:30`, `25:00`. The suggestion is a time.
  static func timeMeant(by text: some StringProtocol) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(\.isNumber) }),
      let hour = Int(parts[0]), let minute = Int(parts[1])
    else { return nil }
    return Self.text(ofMinutes: min(hour, 23) * 60 + min(minute, 59))
  }

  /// The words of a time and of its days: `06:30 mon..fri`, `sunset - 30m sat`. The word of a time of the sun contains
  /// its sign and its minutes, also if there are blanks around the sign.
  static func words(_ text: some StringProtocol) -> [String] {
    var words: [String] = []
    for part in text.split(separator: " ") {
      let isShift = part.hasPrefix("+") || part.hasPrefix("-")
      if words.count == 1, isShift ? ["sunrise", "sunset"].contains(words[0]) : isUnfinished(words[0]) {
        words[0] += part
      } else {
        words.append(String(part))
      }
    }
    return words
  }

  /// Whether a word is a time of the sun and a sign without minutes: `sunset-`.
  private static func isUnfinished(_ word: String) -> Bool {
    ["sunrise+", "sunrise-", "sunset+", "sunset-"].contains(word)
  }

  /// A time of `at`, `between` or a value: `06:30`, the name of a value, `sunset+30m`. Adds a problem and returns nil for
  /// any other text.
  ///
  /// - Parameter key: the key that takes it, for messages.
  func time(
    _ text: String, of key: String, at position: Position, in names: Names, hasPlace: Bool
  ) -> ClockDefinition.Time? {
    if let minutes = Self.minutes(text) { return .fixed(minutes) }
    if let right = Self.timeMeant(by: text) {
      problems.add(position, "\(quoted(text)) is not a time of day; write \"\(right)\"")
      return nil
    }
    for word in ["sunrise", "sunset"] where text == word || text.hasPrefix(word + "+") || text.hasPrefix(word + "-") {
      guard hasPlace else {
        problems.add(
          position, "\(quoted(word)) needs a place; write clock: { latitude: 52.52, longitude: 13.40 }")
        return nil
      }
      guard let shift = shift(text.dropFirst(word.count), at: position) else { return nil }
      return word == "sunrise" ? .sunrise(shift) : .sunset(shift)
    }
    let example = names.times.min().map { names.values[$0] } ?? "06:30"
    if case .value(let value) = names.thing(text) {
      if names.times.contains(value) { return .value(value) }
      let noun = names.durations.contains(value) ? "a duration" : "a number"
      problems.add(position, "\(quoted(text)) is \(noun); \(quoted(key)) takes a time of day, such as \(example)")
      return nil
    }
    problems.add(position, "\(quoted(text)) is not a time of day; write \(quoted("06:30")), sunset-30m, or a value")
    return nil
  }

  /// The minutes in `+30m` or `-30m`; 0 for nothing.
  private func shift(_ text: Substring, at position: Position) -> Int? {
    guard let sign = text.first else { return 0 }
    if let span = try? Quantity.duration(String(text.dropFirst())), let milliseconds = span.wholeMilliseconds,
      milliseconds % 60_000 == 0, milliseconds <= 12 * 3_600_000
    {
      return milliseconds / 60_000 * (sign == "-" ? -1 : 1)
    }
    problems.add(position, "\(quoted(String(text))) is not a number of minutes; write +30m or -30m, at most 12h")
    return nil
  }

  /// Days of the week: `mon wed fri`, `mon..fri`. Adds a problem and returns nil for any other words.
  package func days(_ words: [String], at position: Position) -> Set<Int>? {
    var days: Set<Int> = []
    for word in words {
      let ends = word.parts(between: "..", atMost: 2).map(String.init)
      let places = ends.compactMap { end in Self.days.firstIndex(of: end).map { $0 + 1 } }
      guard places.count == ends.count, let first = places.first, let last = places.last else {
        problems.add(position, "\(quoted(word)) names no days; write mon..fri, or sat sun")
        return nil
      }
      if first <= last {
        days.formUnion(first...last)
      } else {
        days.formUnion(Array(first...7) + Array(1...last))
      }
    }
    return days.count == 7 ? [] : days
  }

  // MARK: - Periods

  /// The two times of `between`. Adds a problem and returns nil for anything else.
  func times(
    _ text: String, at position: Position, in names: Names
  ) -> (begin: ClockDefinition.Time, end: ClockDefinition.Time)? {
    let ends = text.parts(between: "..", atMost: 2).map { Self.words($0).joined(separator: " ") }
    guard ends.count == 2 else {
      let parts = text.split(separator: "-").map { Self.words($0).joined(separator: " ") }
      let isMeant = parts.count == 2 && parts.allSatisfy { Self.minutes($0) != nil }
      let right = isMeant ? "\(parts[0])..\(parts[1])" : "22:00..06:00"
      problems.add(position, "write two dots between the times: \(right)")
      return nil
    }
    let times = ends.compactMap {
      time($0, of: "between", at: position, in: names, hasPlace: names.hasPlace)
    }
    guard times.count == 2 else { return nil }
    guard times[0] != times[1] else {
      problems.add(position, "\(ends[0])..\(ends[1]) ends when it begins; write two different times")
      return nil
    }
    return (times[0], times[1])
  }

  // MARK: - The use of the clock

  /// The parts of the clock that a file uses, in times of `at` or `between` and in expressions.
  ///
  /// - Parameter hasOwnClock: whether the file has a thing with the name `clock`.
  static func partsUsed(in root: YAMLNode, hasOwnClock: Bool) -> Set<ClockDefinition.Part> {
    guard case .map(let entries) = root.content else { return [] }
    var parts: Set<ClockDefinition.Part> = []
    let own: Set<String> = hasOwnClock ? ["clock"] : []
    for entry in entries {
      switch entry.key {
      case "panel", "chip", "chips", "values", "sounds", "audio", "mqtt", "osc", "accept", "clock", "outputs": break
      case "inputs": addPeriods(in: entry.value, to: &parts, besides: own)
      case "at":
        parts.insert(.time)
        add(entry.value, to: &parts, besides: own)
      default: add(entry.value, to: &parts, besides: own)
      }
    }
    if !parts.isEmpty { parts.insert(.time) }
    return parts
  }

  private static func addPeriods(
    in node: YAMLNode, to parts: inout Set<ClockDefinition.Part>, besides own: Set<String>
  ) {
    guard case .map(let inputs) = node.content else { return }
    for input in inputs {
      guard case .map(let keys) = input.value.content else { continue }
      for key in keys where key.key == "switch" {
        guard case .map(let conditions) = key.value.content else { continue }
        for condition in conditions {
          switch condition.key {
          case "between":
            parts.insert(.time)
            guard case .scalar(let text) = condition.value.content else { continue }
            if text.contains(text: "sunrise") { parts.insert(.sunrise) }
            if text.contains(text: "sunset") { parts.insert(.sunset) }
          case "days": parts.insert(.weekday)
          default: add(condition.value, to: &parts, besides: own)
          }
        }
      }
    }
  }

  private static func add(
    _ node: YAMLNode, to parts: inout Set<ClockDefinition.Part>, besides own: Set<String>
  ) {
    switch node.content {
    case .scalar(let text): add(text, to: &parts, besides: own)
    case .list(let items): for item in items { add(item, to: &parts, besides: own) }
    case .map(let entries):
      for entry in entries {
        if entry.key == "at", case .map = entry.value.content { parts.insert(.time) }
        add(entry.key, to: &parts, besides: own)
        add(entry.value, to: &parts, besides: own)
      }
    case .nothing, .refused: break
    }
  }

  private static func add(_ text: String, to parts: inout Set<ClockDefinition.Part>, besides own: Set<String>) {
    guard text.contains(text: "clock") else { return }
    for token in Token.list(of: text) where token.kind == .name && !own.contains(token.text) {
      if let part = ClockDefinition.Part(rawValue: token.text) { parts.insert(part) }
    }
  }
}

extension Names {
  /// The condition that the time is in a period of `between`; nil with a problem for a wrong text. A period over midnight
  /// belongs to the day on which it begins.
  ///
  /// A period that ends earlier than it begins lasts over midnight. One with the sun does if it begins in the afternoon
  /// and ends in the morning: on a day on which the sun sets at 22:30, there is no time from sunset up to 22:00.
  ///
  /// - Parameter days: the days of the week, 1 to 7; empty for each day.
  package func period(
    _ text: String, on days: Set<Int>, at position: Position, _ problems: ProblemList
  ) -> Condition? {
    guard let clock = clock[.time],
      let (begin, end) = ClockReader(problems: problems).times(text, at: position, in: self)
    else { return nil }
    usage.watched.formUnion([begin, end])
    let now = Number.reading(clock)
    let (first, last) = (number(of: begin), number(of: end))
    let (isAfter, isBefore) = (
      Condition.comparison(now, .greaterOrEqual, first), Condition.comparison(now, .less, last)
    )
    let isOnDay = { (shift: Int) in self.condition(on: days, shiftedBy: shift) }
    let within = Condition.all([isAfter, isBefore] + isOnDay(0))
    let overMidnight = Condition.any([.all([isAfter] + isOnDay(0)), .all([isBefore] + isOnDay(1))])
    if case .constant(let a) = first, case .constant(let b) = last { return a < b ? within : overMidnight }
    let isOverMidnight =
      begin.isOfSun || end.isOfSun
      ? Condition.all([isInAfternoon(begin, orAtNoon: true), .not(isInAfternoon(end, orAtNoon: false))])
      : .not(.comparison(first, .less, last))
    if let isFixed = isOverMidnight.constantResult { return isFixed ? overMidnight : within }
    return .any([.all([.not(isOverMidnight), within]), .all([isOverMidnight, overMidnight])])
  }

  /// Whether a time is after noon: sunset is, sunrise is not.
  ///
  /// - Parameter isAtNoon: the result for noon.
  private func isInAfternoon(_ time: ClockDefinition.Time, orAtNoon isAtNoon: Bool) -> Condition {
    let minutes: Number =
      switch time {
      case .sunrise: .constant(0)
      case .sunset: .constant(1439)
      case .fixed, .value: number(of: time)
      }
    return .comparison(minutes, isAtNoon ? .greaterOrEqual : .greater, .constant(720))
  }

  private func number(of time: ClockDefinition.Time) -> Number {
    switch time {
    case .fixed(let minutes): .constant(minutes)
    case .value(let value, _): .value(value)
    case .sunrise(let minutes): shifted(.sunrise, minutes)
    case .sunset(let minutes): shifted(.sunset, minutes)
    }
  }

  private func shifted(_ part: ClockDefinition.Part, _ minutes: Int) -> Number {
    guard let input = clock[part] else { return .constant(0) }
    return minutes == 0 ? .reading(input) : .sum(.reading(input), .constant(minutes))
  }

  /// The condition that today, or yesterday for a shift of 1, is one of these days; empty for each day.
  private func condition(on days: Set<Int>, shiftedBy shift: Int) -> [Condition] {
    guard !days.isEmpty, let input = clock[.weekday] else { return [] }
    return [
      .any(
        days.sorted().map { .comparison(.reading(input), .equal, .constant(($0 - 1 + shift) % 7 + 1)) })
    ]
  }
}
