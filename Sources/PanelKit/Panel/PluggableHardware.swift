import Terminal

/// Hardware of a panel that can be unplugged and plugged in again.
enum PluggableHardware: Hashable, Sendable {
  /// The sound card.
  case audio
  /// All chips together: it is lost while one of them is.
  case gpio
  /// The panel's own chip, in a file that declares chips which can be lost alone.
  case own
  /// A chip of `chips` that is wired to no lines, by its number.
  case chip(Int)

  /// What every panel has.
  static let common: [PluggableHardware] = [.audio, .gpio]

  /// All of a panel with so many `chips`.
  static func all(chips: Int) -> [PluggableHardware] { common + [.own] + (0..<chips).map { .chip($0) } }

  /// Its place among all hardware.
  var index: Int {
    switch self {
    case .audio: 0
    case .gpio: 1
    case .own: 2
    case .chip(let number): 3 + number
    }
  }

  /// What a file calls it.
  ///
  /// - Parameter chips: the names of the file's `chips`.
  func name(chips: [String]) -> String {
    switch self {
    case .audio: "audio"
    case .gpio: "gpio"
    case .own: "chip"
    // Of a file with a chip that could not be read, the others have other numbers.
    case .chip(let number): chips.indices.contains(number) ? chips[number] : "chip"
    }
  }
}

extension Names {
  /// The hardware that a word means: `audio`, `gpio`, a chip that is wired to no lines, or `chip`, the panel's own beside such; nil for
  /// any other word.
  func hardware(_ word: String) -> PluggableHardware? {
    if let hardware = PluggableHardware.common.first(where: { $0.name(chips: []) == word }) { return hardware }
    switch thing(word) {
    case .chip(let chip): return isWired(chip) ? nil : .chip(chip)
    case nil: return word == "chip" && chips.indices.contains { !isWired($0) } ? .own : nil
    default: return nil
    }
  }

  /// All words for hardware.
  var hardwareWords: [String] {
    let alone = chips.indices.filter { !isWired($0) }.map { chips[$0] }
    return ["audio", "gpio"] + (hardware("chip") == .own ? ["chip"] : []) + alone
  }

  /// Adds a problem where something is called `chip` in a file with a chip that can be lost alone: the word is the panel's own chip there.
  func checkOwnChip(_ problems: ProblemList) {
    guard chips.indices.contains(where: { !isWired($0) }), let position = positions["chip"] else { return }
    problems.add(position, "\"chip\" is the panel's own chip beside one of \"chips\"; choose another name")
  }

  private func isWired(_ chip: Int) -> Bool { chipKinds[chip].map { !$0.lines.isEmpty } ?? false }

  /// What is wrong with the name of a chip where hardware is meant that can be lost alone.
  func faultOfWired(_ chip: String) -> String {
    "\(quoted(chip)) is wired to lines, and is lost with the chip that has them; write gpio"
  }
}

extension PanelDefinition {
  func name(of hardware: PluggableHardware) -> String { hardware.name(chips: chips.map(\.name)) }

  /// Whether chips can be lost alone.
  var hasChipsLostAlone: Bool { chips.contains { $0.kind.lines.isEmpty } }

  /// The hardware with which the lines of a chip are lost: the chip, or the one whose lines it is wired to.
  ///
  /// - Parameter chip: its number in `chips`; nil for the panel's own.
  func hardware(ofChip chip: Int?) -> PluggableHardware {
    guard hasChipsLostAlone else { return .gpio }
    var chip = chip
    while let number = chip, let line = chips[number].kind.lines.first { chip = self.chip(ofLine: line) }
    return chip.map { .chip($0) } ?? .own
  }

  /// The chip with which each input's lines are lost; nil for an input on no lines.
  var chipsOfInputs: [PluggableHardware?] {
    inputs.map { $0.device.lines.isEmpty ? nil : hardware(ofChip: chip(of: $0.device)) }
  }
}
