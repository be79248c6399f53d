import CycleCore
import PanelLanguage
import Terminal

/// A narrower range for one proof: of a value (`tries=0..3`), of a list's length (`song=0..3`), or of a sensor
/// (`air=15..30`).
package struct RangeRestriction {
  enum Subject: Hashable {
    /// A number, a duration, or the length of a list, by its place among the panel's values.
    case value(Int)
    case sensor(input: Int)
  }

  let subject: Subject
  /// The range in milliseconds, or in the units of the sensor's ``SensorNumberRange``.
  let range: ClosedRange<Int>
  /// The text that the user wrote.
  let text: String

  /// Reads the argument of `--limit`. Throws if it is not valid.
  init(_ text: String, for panel: PanelDefinition) throws(Fault) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let ends = Self.ends(parts[1]) else {
      throw Fault(text: "\(quoted(text)) is not a limit; write NAME=0..3")
    }
    guard let subject = panel.limitable.first(where: { panel.name(of: $0) == parts[0] }) else {
      throw Fault(text: Self.refusal(of: parts[0], in: panel))
    }
    let whole = panel.range(of: subject)
    let wholeText = panel.text(of: whole, subject)
    if panel.isWhole(subject), parts[1].parts(between: "..").contains(where: { $0.contains(".") }),
      Quantity.decimal(ends.low) != nil, Quantity.decimal(ends.high) != nil
    {
      throw Fault(
        text: "\(quoted(parts[0])) has no decimals; write \(parts[0])=\(wholeText), or a part of it")
    }
    guard let low = panel.number(ends.low, of: subject), let high = panel.number(ends.high, of: subject) else {
      throw Fault(
        text:
          "\(quoted(parts[1])) is not a range of \(quoted(parts[0])); write \(parts[0])=\(wholeText), or a part of it")
    }
    guard low <= high else {
      throw Fault(text: "\(parts[1]) is in the wrong order; write \(parts[0])=\(ends.high)..\(ends.low)")
    }
    let isList = panel.isList(subject)
    guard whole.contains(low), whole.contains(high), !isList || low == 0 else {
      let kind = isList ? "the length, from 0," : "the range"
      throw Fault(text: "\(parts[1]) is not within \(kind) of \(quoted(parts[0])), \(wholeText)")
    }
    self.subject = subject
    self.text = text
    range = low...high
  }

  /// Reads all limits of a proof. Throws if one of them is not valid, or if two have the same name.
  package static func list(_ texts: [String], for panel: PanelDefinition) throws(Fault) -> [RangeRestriction] {
    var limits: [RangeRestriction] = []
    for text in texts {
      let limit = try RangeRestriction(text, for: panel)
      if let other = limits.first(where: { $0.subject == limit.subject }) {
        throw Fault(text: "there are two limits for one name, \(other.text) and \(text); write one of them")
      }
      limits.append(limit)
    }
    return limits
  }

  package struct Fault: Error {
    package var text: String
  }

  private static func ends(_ text: String) -> (low: String, high: String)? {
    guard let dots = text.firstPlace(of: "..") else { return nil }
    return (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
  }

  private static func refusal(of name: String, in panel: PanelDefinition) -> String {
    let names = panel.limitable.map { panel.name(of: $0) }
    let known = names.isEmpty ? "the panel has none of them" : listed(names)
    if panel.inputs.contains(where: { $0.name == name }) || panel.outputs.contains(where: { $0.name == name }) {
      return "\(quoted(name)) has no range; --limit takes values, lists and sensors: \(known)"
    }
    let near = nearest(to: name, among: names).map { "did you mean \(quoted($0))?" }
    return "unknown value \(quoted(name)); \(near ?? "--limit takes values, lists and sensors: \(known)")"
  }
}

/// The subjects of limits.
extension PanelDefinition {
  /// The subjects that a limit can narrow: values first, then sensors, in the order of the file.
  fileprivate var limitable: [RangeRestriction.Subject] {
    values.indices.map { .value($0) }
      + inputs.indices.filter { inputs[$0].device.scale != nil }.map { .sensor(input: $0) }
  }

  func name(of subject: RangeRestriction.Subject) -> String {
    switch subject {
    case .value(let value): values[value].name
    case .sensor(let input): inputs[input].name
    }
  }

  func isList(_ subject: RangeRestriction.Subject) -> Bool {
    if case .value(let value) = subject { values[value].list != nil && values[value].filled == nil } else { false }
  }

  /// Whether the subject is a number, a list, or a sensor that reads whole numbers.
  func isWhole(_ subject: RangeRestriction.Subject) -> Bool {
    switch subject {
    case .value(let value): !values[value].isDuration && !values[value].isTime && values[value].decimals == 0
    case .sensor(let input): inputs[input].device.scale?.decimals == 0
    }
  }

  /// The numbers that the subject can have; for a list with all of its elements, those of an element.
  func range(of subject: RangeRestriction.Subject) -> ClosedRange<Int> {
    switch subject {
    case .value(let value):
      isList(subject) ? 0...(values[value].list?.capacity ?? 0) : values[value].min...values[value].max
    case .sensor(let input): inputs[input].device.scale?.range ?? 0...0
    }
  }

  /// A range as text: `0..3`, `0s..2s`, `15.5..30`.
  func text(of range: ClosedRange<Int>, _ subject: RangeRestriction.Subject) -> String {
    [range.lowerBound, range.upperBound].map { number in
      switch subject {
      case .value(let value): values[value].text(of: number)
      case .sensor(let input): Quantity.text(number, decimals: inputs[input].device.scale?.decimals ?? 0)
      }
    }.joined(separator: "..")
  }

  /// Reads a number as a user writes it. Returns nil if it is not of the subject's type.
  fileprivate func number(_ text: String, of subject: RangeRestriction.Subject) -> Int? {
    switch subject {
    case .value(let value):
      return values[value].number(in: text)
    case .sensor(let input):
      return inputs[input].device.scale.flatMap { Quantity.fixed(text, decimals: $0.decimals) }
    }
  }
}

/// The effect of limits.
extension PanelDefinition {
  /// The panel with its values in narrower ranges. Initial numbers and the constants that values are compared with are
  /// moved into these ranges. The ``ProofModel`` narrows the readings of sensors.
  func limited(_ limits: [RangeRestriction]) -> PanelDefinition {
    limits.reduce(self) { panel, limit in
      if case .value(let value) = limit.subject { panel.limited(value, limit.range) } else { panel }
    }
  }

  private func limited(_ value: Int, _ range: ClosedRange<Int>) -> PanelDefinition {
    var panel = self
    if isList(.value(value)) {
      panel.values[value].list?.capacity = range.upperBound
    } else {
      panel.values[value].min = range.lowerBound
      panel.values[value].max = range.upperBound
      if let filled = values[value].filled {
        panel.values[value].filled = filled.map { range.nearest(to: $0) }
        return panel
      }
      panel.values[value].initial = range.nearest(to: values[value].initial)
    }
    func bring(_ transitions: inout [Transition]) {
      for index in transitions.indices {
        transitions[index].condition = transitions[index].condition.map { $0.limited(value, range) }
        transitions[index].written = transitions[index].written.limited(value, range)
      }
    }
    for state in panel.states.indices {
      for index in panel.states[state].on.indices { bring(&panel.states[state].on[index].transitions) }
      for index in panel.states[state].after.indices { bring(&panel.states[state].after[index].transitions) }
      bring(&panel.states[state].done)
      bring(&panel.states[state].when)
    }
    for never in panel.nevers.indices {
      panel.nevers[never].condition = panel.nevers[never].condition.limited(value, range)
    }
    return panel
  }
}

extension [RangeRestriction] {
  /// The ranges of sensors under these limits, by their inputs.
  var readings: [Int: ClosedRange<Int>] {
    var readings: [Int: ClosedRange<Int>] = [:]
    for limit in self { if case .sensor(let input) = limit.subject { readings[input] = limit.range } }
    return readings
  }
}

extension ClosedRange<Int> {
  fileprivate func nearest(to number: Int) -> Int { Swift.min(upperBound, Swift.max(lowerBound, number)) }
}

extension FilePassage {
  /// The passage with the comparisons that a limited panel makes.
  fileprivate func limited(_ value: Int, _ range: ClosedRange<Int>) -> FilePassage {
    guard let source else { return self }
    let comparisons = source.comparisons.map { comparison in
      var comparison = comparison
      comparison.condition = comparison.condition.limited(value, range)
      return comparison
    }
    return FilePassage(source: Source(position: source.position, text: source.text, comparisons: comparisons))
  }
}

extension Condition {
  fileprivate func limited(_ value: Int, _ range: ClosedRange<Int>) -> Condition {
    switch self {
    case .comparison(.value(value), let relation, .constant(let constant)):
      .comparison(.value(value), relation, .constant(range.nearest(to: constant)))
    case .comparison(.constant(let constant), let relation, .value(value)):
      .comparison(.constant(range.nearest(to: constant)), relation, .value(value))
    case .not(let condition): .not(condition.limited(value, range))
    case .all(let conditions): .all(conditions.map { $0.limited(value, range) })
    case .any(let conditions): .any(conditions.map { $0.limited(value, range) })
    case .comparison, .state, .position, .isLost, .isUnknown, .elements, .sameElements, .output, .contact: self
    }
  }
}
