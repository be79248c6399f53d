import HardwareDrivers
import HardwareLinux

/// The devices of a panel file, as their lenses take them.
///
/// Inputs of one kind that follow each other in the file have one driver, unless they have lenses of different names: events at one
/// moment come in the order of the file.
/// Outputs of one kind have one driver wherever they are written. Devices on different chips have different drivers, and so have the relays of each interlock.
struct PanelDevices {
  struct Inputs {
    let devices: [any InputKind]
    /// The numbers of the devices in the file.
    let numbers: [Int]
    /// The number of the chip that they are on; nil for the panel's own.
    let chip: Int?

    func lenses(
      in panel: PanelDefinition, _ rules: PanelRules, on platform: Platform, _ chips: PanelChips, source: Int,
      isRequired: Bool, continuing continuation: PanelContinuation?
    ) -> PanelLenses {
      let context = InputLensContext(
        rules: rules, platform: platform, chip: chips[chip], inputs: numbers,
        names: numbers.map { panel.inputs[$0].name }, lens: panel.lens(devices[0].lens, on: chip), source: source,
        isRequired: isRequired,
        positions: numbers.map { number in
          (continuation?.frame[position: number]).flatMap { $0 == PanelFrame.unknownPosition ? nil : $0 }
        })
      var lenses = Self.lenses(like: devices[0], of: devices, in: context)
      for place in lenses.journals.indices { lenses.journals[place].isInput = devices[0] is any DrivenInputKind }
      return lenses
    }

    private static func lenses<Kind: InputKind>(
      like first: Kind, of devices: [any InputKind], in context: InputLensContext
    ) -> PanelLenses {
      Kind.lenses(of: devices.compactMap { $0 as? Kind }, in: context)
    }
  }

  struct Outputs {
    let devices: [any OutputKind]
    let numbers: [Int]
    let chip: Int?

    func lenses(
      _ rules: PanelRules, _ seed: PanelFrame, on platform: Platform, _ chips: PanelChips, source: Int,
      isRequired: Bool, continuing continuation: PanelContinuation?
    ) -> PanelLenses {
      let context = OutputLensContext(
        rules: rules, seed: seed, platform: platform, chip: chips[chip], outputs: numbers,
        lens: rules.panel.lens(type(of: devices[0]).plural, on: chip), source: source, isRequired: isRequired,
        since: numbers.map { continuation?.since[$0] ?? nil })
      return Self.lenses(like: devices[0], of: devices, in: context)
    }

    private static func lenses<Kind: OutputKind>(
      like first: Kind, of devices: [any OutputKind], in context: OutputLensContext
    ) -> PanelLenses {
      Kind.lenses(of: devices.compactMap { $0 as? Kind }, in: context)
    }
  }

  /// At least one device each, all of one kind and on one chip.
  private(set) var inputs: [Inputs] = []
  private(set) var outputs: [Outputs] = []
  let interlocks: [InterlockedRelays]

  /// How many sources of trouble a panel has: one for each of ``inputs``, ``outputs`` and ``interlocks``, in that order, the sounds, the
  /// broker if there is one, and each address of `osc`.
  var sourceCount: Int { oscSource + oscCount }
  /// The number of the sounds' source of trouble; behind it is that of the broker.
  var soundSource: Int { inputs.count + outputs.count + interlocks.count }
  /// The number of the first source of trouble of `osc`.
  var oscSource: Int { soundSource + (hasNetwork ? 2 : 1) }
  private let hasNetwork: Bool
  private let oscCount: Int

  init(of panel: PanelDefinition) {
    hasNetwork = panel.mqtt != nil
    oscCount = panel.osc?.lensNames.count ?? 0
    // Most inputs that follow from others need nothing.
    let lensed = panel.inputs.indices.filter { (panel.inputs[$0].device as? any DerivedInputKind)?.needsClock ?? true }
    let runs = lensed.split { one, other in
      let (one, other) = (panel.inputs[one].device, panel.inputs[other].device)
      return type(of: one) != type(of: other) || one.lens != other.lens || panel.chip(of: one) != panel.chip(of: other)
    }
    for run in runs {
      let devices = run.map { panel.inputs[$0].device }
      inputs.append(Inputs(devices: devices, numbers: Array(run), chip: panel.chip(of: devices[0])))
    }
    interlocks = panel.interlocks.map { interlock in
      InterlockedRelays(
        relays: interlock.relays.compactMap { panel.outputs[$0].device as? RelayKind }, outputs: interlock.relays,
        pause: interlock.pause)
    }
    let interlocked = Set(interlocks.flatMap(\.outputs))
    var numbersOfKinds: [(kind: any OutputKind.Type, chip: Int?, numbers: [Int])] = []
    for (number, output) in panel.outputs.enumerated() where !interlocked.contains(number) {
      let (kind, chip) = (type(of: output.device), panel.chip(of: output.device))
      if let place = numbersOfKinds.firstIndex(where: { $0.kind == kind && $0.chip == chip }) {
        numbersOfKinds[place].numbers.append(number)
      } else {
        numbersOfKinds.append((kind, chip, [number]))
      }
    }
    outputs = numbersOfKinds.map { _, chip, numbers in
      Outputs(devices: numbers.map { panel.outputs[$0].device }, numbers: numbers, chip: chip)
    }
  }

  /// For each source of trouble the chip with which its lines are lost; for those of sounds, of the broker and of devices on no lines it means nothing.
  func chips(in panel: PanelDefinition) -> [PluggableHardware] {
    let interlocks = interlocks.map { panel.chip(of: panel.outputs[$0.outputs[0]].device) }
    let others = [Int?](repeating: nil, count: sourceCount - soundSource)
    return (inputs.map(\.chip) + outputs.map(\.chip) + interlocks + others).map { panel.hardware(ofChip: $0) }
  }

  /// For each output the number of its source of trouble.
  func sources(in panel: PanelDefinition) -> [Int] {
    var sources = [Int](repeating: 0, count: panel.outputs.count)
    for (place, numbers) in (outputs.map(\.numbers) + interlocks.map(\.outputs)).enumerated() {
      for output in numbers { sources[output] = inputs.count + place }
    }
    return sources
  }
}

extension PanelDefinition {
  /// The name of a lens, with the chip if that isn't the panel's own: `buttons on more`.
  func lens(_ name: String, on chip: Int?) -> String {
    chip.map { "\(name) on \(chips[$0].name)" } ?? name
  }
}

extension Array {
  /// The array in pieces, cut between any two neighbours of which `isCut` says so.
  fileprivate func split(between isCut: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var pieces: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices where index + 1 == endIndex || isCut(self[index], self[index + 1]) {
      pieces.append(self[start...index])
      start = index + 1
    }
    return pieces
  }
}
