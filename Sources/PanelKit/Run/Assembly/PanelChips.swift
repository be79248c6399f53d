import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelKinds
import PanelLanguage

/// The chips of a panel's devices, as drivers use them.
struct PanelChips {
  /// One chip.
  private struct Placed {
    /// The chip for other chips that are wired to it.
    var chip: any GPIOChip
    /// The chip for devices.
    var used: any GPIOChip
    /// Keeps the lines of devices while another panel replaces this one; nil if that never occurs.
    var handover: LineHandover?

    init(_ chip: any GPIOChip, handover: LineHandover? = nil) {
      self.chip = chip
      self.handover = handover
      used = handover ?? chip
    }
  }

  /// The panel's own chip: the one that the file names, or that has its lines.
  private var placed: Placed
  /// The chips of `chips`, in the order of the file.
  private var others: [Placed] = []

  /// The chips of a panel without `chips`.
  init(own: any GPIOChip) {
    placed = Placed(own)
  }

  /// Creates the chips without opening them.
  ///
  /// - Parameters:
  ///   - panel: the panel whose devices use the chips.
  ///   - own: the panel's own chip.
  ///   - platform: provides the other chips.
  ///   - keepsLines: whether another panel may replace this one.
  ///   - before: the chips of the panel that this one replaces. Equal chips are reused.
  ///   - recording: wraps the panel's own chip in one that is recorded.
  init(
    of panel: PanelDefinition, own: any GPIOChip, on platform: Platform, keepsLines: Bool = false,
    replacing before: (chips: PanelChips, panel: PanelDefinition)? = nil,
    recording: ((any GPIOChip) -> any GPIOChip)? = nil
  ) {
    let loop = platform.bench.loop
    func place(_ chip: any GPIOChip) -> Placed {
      Placed(chip, handover: keepsLines ? LineHandover(chip) { loop.now } : nil)
    }
    placed = before?.chips.placed ?? place(own)
    let own = placed.handover ?? placed.chip
    placed.used = recording?(own) ?? own
    let kept = panel.keptChips(of: before?.panel)
    for number in panel.chips.indices {
      if let before, let other = kept[number] {
        others.append(before.chips.others[other])
        continue
      }
      let base = panel.base(ofChip: number)
      let context = Self.context(of: number, panel, base.map { others[$0].chip } ?? placed.chip, platform)
      others.append(place(panel.chips[number].kind.driven.chip(in: context)))
    }
  }

  /// The chips that are drivers themselves, by their numbers in the file.
  func drivers(in panel: PanelDefinition) -> [(chip: Int, driver: any Driver<NoModel, Never>)] {
    others.enumerated().compactMap { number, other in
      let kind = type(of: panel.chips[number].kind)
      guard let driver = other.chip as? any Driver else {
        if kind.isDriver { programmerError("the chip of \(kind) is not a driver; remove its isDriver") }
        return nil
      }
      guard kind.isDriver, let driver = driver as? any Driver<NoModel, Never> else {
        programmerError(
          "the chip of \(kind) is a driver; declare isDriver as true, and let it have NoModel and the event Never")
      }
      return (number, driver)
    }
  }

  /// A chip by its number in the file, as devices use it; nil for the panel's own.
  subscript(number: Int?) -> any GPIOChip { number.map { others[$0].used } ?? placed.used }

  /// The handover of each chip's lines, the panel's own first; nil for a chip whose lines are not kept.
  var handovers: [LineHandover?] { [placed.handover] + others.map(\.handover) }

  fileprivate static func context(
    of number: Int, _ panel: PanelDefinition, _ base: any GPIOChip, _ platform: Platform
  ) -> ChipContext {
    let values = PanelRendering(panel: panel).values(in: PanelRules(panel: panel).seed)
    var high: Set<String> = []
    for (output, safe) in zip(panel.outputs, panel.safe) where panel.chip(of: output.device) == number {
      high.formUnion(output.device.driven.highLines(showing: safe, in: values, on: base))
    }
    return ChipContext(
      name: panel.chips[number].name, platform: platform, base: base, lines: panel.lines(on: number), high: high)
  }
}

/// The simulated chips of a panel's devices.
package struct SimulatedChips {
  let own: SimulatedChip
  /// The chips of `chips`, in the order of the file.
  private var others: [ChipWorld] = []

  /// Nil if the panel's own chip is real.
  ///
  /// - Parameters:
  ///   - panel: the panel whose devices use the chips.
  ///   - platform: provides the chips.
  ///   - before: the chips of the panel that this one replaces. Equal chips are reused, and missing lines are added.
  init?(
    of panel: PanelDefinition, on platform: Platform,
    replacing before: (chips: SimulatedChips, panel: PanelDefinition)? = nil
  ) {
    guard let own = before?.chips.own ?? platform.simulated(at: GPIOChipPort(of: panel)) else { return nil }
    self.own = own
    if before != nil { own.add(panel.lines(on: nil).map { LineName($0) }) }
    let kept = panel.keptChips(of: before?.panel)
    for number in panel.chips.indices {
      if let before, let other = kept[number] {
        others.append(before.chips.others[other])
        others[number].lines.add(panel.lines(on: number).map { LineName($0) })
        continue
      }
      let base = self[panel.base(ofChip: number)]
      let context = PanelChips.context(of: number, panel, base, platform)
      guard let world = panel.chips[number].kind.driven.world(in: context, wiredTo: base) else { return nil }
      others.append(world)
    }
  }

  /// A chip by its number in the file; nil for the panel's own.
  package subscript(number: Int?) -> SimulatedChip { number.map { others[$0].lines } ?? own }

  package var all: [SimulatedChip] { [own] + others.map(\.lines) }

  /// The hardware that can be unplugged, each once.
  var hardware: [any SimulatedHardware] { [own] + others.map(\.hardware) }

  /// The hardware of a chip by its number in the file.
  func hardware(of number: Int) -> any SimulatedHardware { others[number].hardware }

  /// Turns the power of all chips with memory off and on.
  func powerUp() { for other in others { other.powerUp() } }
}

extension GPIOChipPort {
  /// The panel's own chip. If simulated, it has the panel's lines.
  package init(of panel: PanelDefinition) {
    self.init(
      panel.chip == "auto" ? .auto : .named(panel.chip), simulatedLines: panel.lines(on: nil).map { LineName($0) })
  }
}

extension PanelDefinition {
  /// The chip that a chip is wired to, by its number in the file; nil for the panel's own.
  fileprivate func base(ofChip number: Int) -> Int? { chips[number].kind.lines.first.flatMap { chip(ofLine: $0) } }

  /// For each chip its number in the panel that this one replaces; nil for a chip that is new, has changed, or is wired
  /// to such a chip.
  func keptChips(of before: PanelDefinition?) -> [Int?] {
    guard let before else { return chips.map { _ in nil } }
    var kept: [Int?] = []
    for number in chips.indices {
      let isBaseKept = base(ofChip: number).map { $0 < number && kept[$0] != nil } ?? true
      kept.append(isBaseKept ? before.chips.firstIndex(of: chips[number]) : nil)
    }
    return kept
  }
}
