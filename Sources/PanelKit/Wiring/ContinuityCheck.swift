/// A check with a meter before the board is connected.
package struct ContinuityCheck: Equatable, Sendable {
  /// The name of a group of similar checks. Only the first check of a group is printed, with ``others``.
  var group: String

  /// The instruction and the expected result, without the full stop.
  var text: String

  /// The text that follows if the group has several checks.
  var others = "; check the others in the same way"

  /// Sentences after the text. For a group, the first text that isn't empty is printed.
  var advice = ""
}

/// The checks of a whole plan.
struct MeterChecks {
  let texts: [String]

  init(_ plan: WiringPlan) {
    var groups: [[ContinuityCheck]] = []
    for check in plan.allDevices.flatMap({ device in
      device.circuits.flatMap { $0.checks(of: device.name) } + device.checks
    }) {
      if let place = groups.firstIndex(where: { $0[0].group == check.group }) {
        groups[place].append(check)
      } else {
        groups.append([check])
      }
    }
    // The protective diodes of a chip without supply conduct. They would light an LED or shorten a test.
    var texts = [
      "Connect no wire to the \(plan.isOnHeader ? "Pi" : "board") yet: its protective diodes change what the meter shows."
    ]
    if plan.nets.count > 1 {
      let others = plan.nets.filter { $0 != .ground }.map(\.words).joined(separator: ", ")
      let ends = plan.nets.contains(.ground) ? "\(others) and \(SupplyNet.ground.words)" : "3.3 V and 5 V"
      texts.append("Between \(ends)\(plan.nets.count > 2 ? " (check each pair)" : "") the meter does not beep.")
    }
    texts += groups.map { group in
      let advice = group.lazy.map(\.advice).first { !$0.isEmpty }
      let text = group[0].text + (group.count > 1 ? group[0].others : "") + "."
      return advice.map { "\(text) \($0)" } ?? text
    }
    self.texts = texts
  }
}
