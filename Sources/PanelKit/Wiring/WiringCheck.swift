/// Something to check with a meter before the board is connected.
struct WiringCheck: Equatable, Sendable {
  /// What the checks of one group have in common. Of a group only the first check is given, and that the others go
  /// likewise.
  var group: String

  /// What to do and what must be seen, without the full stop.
  var text: String

  /// What follows the text where the group has several checks.
  var others = "; check the others in the same way"

  /// Sentences behind the text; of a group the first that isn't empty is given.
  var advice = ""
}

/// The checks of a whole plan.
struct MeterChecks {
  let texts: [String]

  init(_ plan: WiringPlan) {
    var groups: [[WiringCheck]] = []
    for check in plan.allDevices.flatMap({ device in
      device.circuits.flatMap { $0.checks(of: device.name) } + device.checks
    }) {
      if let place = groups.firstIndex(where: { $0[0].group == check.group }) {
        groups[place].append(check)
      } else {
        groups.append([check])
      }
    }
    // The protective diodes of a chip without supply conduct: they would light an LED or shorten a test.
    var texts = [
      "Connect no wire to the \(plan.isOnHeader ? "Pi" : "board") yet: its protective diodes change what the meter shows."
    ]
    if plan.nets.count > 1 {
      let others = plan.nets.filter { $0 != .ground }.map(\.words).joined(separator: ", ")
      let ends = plan.nets.contains(.ground) ? "\(others) and \(SupplyNet.ground.words)" : "3.3 V and 5 V"
      texts.append("Between \(ends)\(plan.nets.count > 2 ? " (check each pair)" : "") it does not beep.")
    }
    texts += groups.map { group in
      let advice = group.lazy.map(\.advice).first { !$0.isEmpty }
      let text = group[0].text + (group.count > 1 ? group[0].others : "") + "."
      return advice.map { "\(text) \($0)" } ?? text
    }
    self.texts = texts
  }
}
