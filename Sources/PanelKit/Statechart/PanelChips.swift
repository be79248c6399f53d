import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// The chips that the devices of a panel are on, as drivers use them.
struct PanelChips {
  /// The chip that the panel's file names, or that has its lines.
  let own: any GPIOChip
  /// Those of `chips`, in the order of the file.
  private var others: [any GPIOChip] = []

  /// Of a panel without `chips`.
  init(own: any GPIOChip) {
    self.own = own
  }

  /// Opens nothing.
  ///
  /// - Parameter platform: where the chips are, but for `own`.
  init(of panel: PanelDefinition, own: any GPIOChip, on platform: Platform) {
    self.own = own
    for number in panel.chips.indices {
      others.append(
        panel.chips[number].kind.chip(in: Self.context(of: number, panel, base(of: number, panel), platform)))
    }
  }

  /// A chip by its number in the file; nil for the panel's own.
  subscript(number: Int?) -> any GPIOChip { number.map { others[$0] } ?? own }

  /// What the chip is wired to, which is declared before it.
  private func base(of number: Int, _ panel: PanelDefinition) -> any GPIOChip {
    self[panel.chips[number].kind.lines.first.flatMap { panel.chip(ofLine: $0) }]
  }

  fileprivate static func context(
    of number: Int, _ panel: PanelDefinition, _ base: any GPIOChip, _ platform: Platform
  ) -> ChipContext {
    let values = PanelShow(panel: panel).values(in: PanelRules(panel: panel).seed)
    var high: Set<String> = []
    for (output, safe) in zip(panel.outputs, panel.safe) where panel.chip(of: output.device) == number {
      high.formUnion(output.device.highLines(showing: safe, in: values, on: base))
    }
    return ChipContext(
      name: panel.chips[number].name, platform: platform, base: base, lines: panel.lines(on: number), high: high)
  }
}

/// The simulated chips that the devices of a panel are on.
struct SimulatedChips {
  let own: SimulatedChip
  /// Those of `chips`, in the order of the file.
  private var others: [ChipWorld] = []

  /// nil if the panel's own chip is real.
  init?(of panel: PanelDefinition, on platform: Platform) {
    guard let own = platform.simulated(at: PanelSession.port(of: panel)) else { return nil }
    self.own = own
    for number in panel.chips.indices {
      let base = self[panel.chips[number].kind.lines.first.flatMap { panel.chip(ofLine: $0) }]
      let context = PanelChips.context(of: number, panel, base, platform)
      guard let world = panel.chips[number].kind.world(in: context, wiredTo: base) else { return nil }
      others.append(world)
    }
  }

  /// A chip by its number in the file; nil for the panel's own.
  subscript(number: Int?) -> SimulatedChip { number.map { others[$0].lines } ?? own }

  var all: [SimulatedChip] { [own] + others.map(\.lines) }

  /// Cuts the power of all chips that keep something, and restores it.
  func powerUp() { for other in others { other.powerUp() } }
}

extension PanelDefinition {
  /// The number of the chip of `chips` that a line is on; nil for the panel's own chip.
  func chip(ofLine line: String) -> Int? {
    guard let name = LineUsers.chipName(of: line) else { return nil }
    return chips.firstIndex { $0.name == name }
  }

  /// The number of the chip that a device is on; nil for the panel's own chip, and for a device without lines.
  func chip(of device: any DeviceKind) -> Int? { device.lines.first.flatMap { chip(ofLine: $0) } }

  /// All lines on a chip, each once: keys of a keypad share lines.
  func lines(on chip: Int?) -> [String] {
    var found: Set<String> = []
    let all = inputs.flatMap(\.device.lines) + outputs.flatMap(\.device.lines) + chips.flatMap(\.kind.lines)
    return all.filter { self.chip(ofLine: $0) == chip && found.insert($0).inserted }
  }
}
