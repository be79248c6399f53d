import Terminal

/// A narrower range of a value, for one proof: `tries=0..3`.
struct ValueLimit {
  let value: Int
  let range: ClosedRange<Int>

  /// Reads what is written behind `--limit`. Throws what is wrong with it.
  init(_ text: String, for panel: PanelDefinition) throws(Fault) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let ends = Self.ends(parts[1]) else {
      throw Fault(text: "\(quoted(text)) is no limit; write NAME=0..3")
    }
    guard let value = panel.values.firstIndex(where: { $0.name == parts[0] }) else {
      let near = nearest(to: parts[0], among: panel.values.map(\.name)).map { "did you mean \(quoted($0))?" }
      let known = panel.values.isEmpty ? "there are no values" : "values: \(listed(panel.values.map(\.name)))"
      throw Fault(text: "unknown value \(quoted(parts[0])); \(near ?? known)")
    }
    let definition = panel.values[value]
    let whole = definition.list.map { 0...$0.capacity } ?? definition.min...definition.max
    guard let low = Self.number(ends.low, of: definition), let high = Self.number(ends.high, of: definition) else {
      throw Fault(
        text: "\(quoted(parts[1])) is no range of \(quoted(parts[0])); write \(panel.limitExample(of: value))")
    }
    guard low <= high, whole.contains(low), whole.contains(high), definition.list == nil || low == 0 else {
      let range = "\(definition.text(of: whole.lowerBound))..\(definition.text(of: whole.upperBound))"
      let kind = definition.list == nil ? "the range" : "the length, from 0,"
      throw Fault(text: "\(parts[1]) is not within \(kind) of \(quoted(parts[0])), \(range)")
    }
    self.value = value
    range = low...high
  }

  struct Fault: Error {
    var text: String
  }

  private static func ends(_ text: String) -> (low: String, high: String)? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    return (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
  }

  private static func number(_ text: String, of value: PanelDefinition.Value) -> Int? {
    value.isDuration ? try? Quantity.duration(text).wholeMilliseconds : Quantity.whole(text)
  }
}

extension PanelDefinition {
  /// The panel with a value in a narrower range: its initial number, and the constants that it is compared with, are brought into it.
  func limited(_ limit: ValueLimit) -> PanelDefinition {
    var panel = self
    if values[limit.value].list != nil {
      panel.values[limit.value].list?.capacity = limit.range.upperBound
    } else {
      panel.values[limit.value].min = limit.range.lowerBound
      panel.values[limit.value].max = limit.range.upperBound
      panel.values[limit.value].initial = limit.brought(values[limit.value].initial)
    }
    func bring(_ transitions: inout [Transition]) {
      for index in transitions.indices {
        transitions[index].condition = transitions[index].condition.map { $0.limited(limit) }
      }
    }
    for state in panel.states.indices {
      for index in panel.states[state].on.indices { bring(&panel.states[state].on[index].transitions) }
      for index in panel.states[state].after.indices { bring(&panel.states[state].after[index].transitions) }
      bring(&panel.states[state].done)
      bring(&panel.states[state].when)
    }
    for never in panel.nevers.indices {
      panel.nevers[never].condition = panel.nevers[never].condition.limited(limit)
    }
    return panel
  }

  /// A limit that is worth a try: `tries=0..3`.
  func limitExample(of value: Int) -> String {
    let definition = values[value]
    if let list = definition.list { return "\(definition.name)=0..\(min(list.capacity, 3))" }
    let high = min(definition.max, definition.min + (definition.isDuration ? 2000 : 3))
    return "\(definition.name)=\(definition.text(of: definition.min))..\(definition.text(of: high))"
  }
}

extension ValueLimit {
  fileprivate func brought(_ number: Int) -> Int { min(range.upperBound, max(range.lowerBound, number)) }
}

extension Condition {
  fileprivate func limited(_ limit: ValueLimit) -> Condition {
    switch self {
    case .comparison(.value(limit.value), let relation, .constant(let constant)):
      .comparison(.value(limit.value), relation, .constant(limit.brought(constant)))
    case .comparison(.constant(let constant), let relation, .value(limit.value)):
      .comparison(.constant(limit.brought(constant)), relation, .value(limit.value))
    case .not(let condition): .not(condition.limited(limit))
    case .all(let conditions): .all(conditions.map { $0.limited(limit) })
    case .any(let conditions): .any(conditions.map { $0.limited(limit) })
    case .comparison, .state, .position, .isLost, .elements, .sameElements, .output: self
    }
  }
}
