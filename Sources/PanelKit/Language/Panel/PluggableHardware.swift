import HardwareDrivers
import Terminal

/// Hardware of a panel that can be unplugged and plugged in again.
package enum PluggableHardware: Hashable, Comparable, Sendable {
  /// The sound card.
  case audio
  /// All chips together. It is lost while one of them is lost.
  case gpio
  /// The panel's own chip, in a file with chips that can be lost separately.
  case own
  /// A chip of `chips` that can be lost alone, by its number.
  case chip(Int)
  /// The connection to the broker, in a file with `mqtt`.
  case network

  /// The hardware that every panel has.
  package static let common: [PluggableHardware] = [.audio, .gpio]

  /// All hardware of a panel.
  ///
  /// - Parameters:
  ///   - chips: the number of its `chips`.
  ///   - hasNetwork: whether its file has `mqtt`.
  package static func all(chips: Int, hasNetwork: Bool) -> [PluggableHardware] {
    common + [.own] + (0..<chips).map { .chip($0) } + (hasNetwork ? [.network] : [])
  }

  /// The index among all hardware of a panel.
  ///
  /// - Parameter chips: the number of the panel's `chips`.
  package func index(chips: Int) -> Int {
    switch self {
    case .audio: 0
    case .gpio: 1
    case .own: 2
    case .chip(let number): 3 + number
    case .network: 3 + chips
    }
  }

  package static func < (one: PluggableHardware, other: PluggableHardware) -> Bool {
    one.index(chips: Int(Int32.max)) < other.index(chips: Int(Int32.max))
  }

  /// Whether it has lines for devices.
  package var hasLines: Bool {
    switch self {
    case .audio, .network: false
    case .gpio, .own, .chip: true
    }
  }

  /// The name in a file.
  ///
  /// - Parameter chips: the names of the file's `chips`.
  func name(chips: [String]) -> String {
    switch self {
    case .audio: "audio"
    case .gpio: "gpio"
    case .network: "network"
    case .own: "chip"
    // If one chip of the file could not be read, the others have other numbers.
    case .chip(let number): chips.indices.contains(number) ? chips[number] : "chip"
    }
  }
}

extension Names {
  /// The hardware with a name; nil for any other word. Names are `audio`, `gpio`, a chip that can be lost
  /// alone, and in a file with such a chip `chip` for the panel's own. In a file with `mqtt`, `network` is a name, too.
  package func hardware(_ word: String) -> PluggableHardware? {
    if let hardware = PluggableHardware.common.first(where: { $0.name(chips: []) == word }) { return hardware }
    if hasNetwork, word == "network" { return .network }
    switch thing(word) {
    case .chip(let chip): return isLostAlone(chip) ? .chip(chip) : nil
    case nil: return word == "chip" && chips.indices.contains { isLostAlone($0) } ? .own : nil
    default: return nil
    }
  }

  /// All names of hardware.
  package var hardwareWords: [String] {
    let alone = chips.indices.filter { isLostAlone($0) }.map { chips[$0] }
    return ["audio", "gpio"] + (hardware("chip") == .own ? ["chip"] : []) + alone + (hasNetwork ? ["network"] : [])
  }

  /// The names of the ports that the panel's devices need, such as `i2c`, each once. A thing of the same name hides its
  /// port.
  package var portWords: [String] {
    var ports: [any Port.Type] = []
    for device in inputDevices { ports += device?.usedPorts ?? [] }
    for case .some(let device) in outputDevices { ports += type(of: device).ports }
    for case .some(let kind) in chipKinds { ports += type(of: kind).ports }
    return ports.reduce(into: []) { words, port in
      if hardware(port.name) == nil, thing(port.name) == nil, !words.contains(port.name) { words.append(port.name) }
    }
  }

  /// Adds a problem for a declaration with a reserved name: `chip` in a file with a chip that can be lost separately,
  /// `network` in a file with `mqtt` or accepted events, or `sent` in a file with `osc`.
  func checkHardwareNames(_ problems: ProblemList) {
    if let position = positions["network"], hasNetwork || !acceptedEvents.isEmpty {
      let meaning =
        hasNetwork ? "the connection to the broker in a file with \"mqtt\"" : "the source of the events in \"accept\""
      problems.add(position, "\"network\" is \(meaning); choose another name")
    }
    if hasReceivers, let position = positions["sent"] {
      problems.add(
        position, "\"sent\" is a word of scenarios in a file with \"osc\"; choose another name")
    }
    guard chips.indices.contains(where: { isLostAlone($0) }), let position = positions["chip"] else { return }
    problems.add(position, "\"chip\" is the panel's own chip in a file with \"chips\"; choose another name")
  }

  /// Adds a problem for a declaration with the name `power` in a file that asks for a change of the machine's power.
  func checkPowerName(_ problems: ProblemList) {
    guard usage.asksForPower, let position = positions["power"] else { return }
    problems.add(
      position, "\"power\" is a word of scenarios in a file that turns the machine off; choose another name")
  }

  private func isLostAlone(_ chip: Int) -> Bool { chipKinds[chip].map(\.isLostAlone) ?? true }

  /// The error for the name of a chip that can't be lost separately.
  package func faultOfWired(_ chip: String) -> String {
    "\(quoted(chip)) has no connection of its own, and is lost with the chip of its lines; write gpio"
  }
}

extension PanelDefinition {
  /// All hardware that can be unplugged.
  package var allHardware: [PluggableHardware] { PluggableHardware.all(chips: chips.count, hasNetwork: mqtt != nil) }

  package func name(of hardware: PluggableHardware) -> String { hardware.name(chips: chips.map(\.name)) }

  /// Whether chips can be lost separately.
  package var hasChipsLostAlone: Bool { chips.contains(where: \.kind.isLostAlone) }

  /// The hardware with which the lines of a chip are lost: the chip, or the one whose lines it is wired to.
  ///
  /// - Parameter chip: its number in `chips`; nil for the panel's own.
  package func hardware(ofChip chip: Int?) -> PluggableHardware {
    guard hasChipsLostAlone else { return .gpio }
    var chip = chip
    while let number = chip, !chips[number].kind.isLostAlone, let line = chips[number].kind.lines.first {
      chip = self.chip(ofLine: line)
    }
    return chip.map { .chip($0) } ?? .own
  }

  /// The chip with which each input's lines are lost; nil for an input without lines.
  package var chipsOfInputs: [PluggableHardware?] {
    inputs.map { $0.device.lines.isEmpty ? nil : hardware(ofChip: chip(of: $0.device)) }
  }
}
