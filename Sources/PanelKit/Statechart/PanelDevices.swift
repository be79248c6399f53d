import HardwareDrivers
import HardwareLinux

/// The devices of a panel file, as their lenses take them.
///
/// Inputs of one kind that follow each other in the file have one driver: events at one moment come in the order of the file.
/// Outputs of one kind have one driver wherever they are written, but for the relays of each interlock, which have one of their own.
struct PanelDevices {
  struct Inputs {
    let devices: [any InputKind]
    /// The numbers of the devices in the file.
    let numbers: [Int]

    func lenses(
      in panel: PanelDefinition, _ rules: PanelRules, on platform: Platform, _ chip: any GPIOChip, source: Int,
      isRequired: Bool
    ) -> PanelLenses {
      let context = InputLensContext(
        rules: rules, platform: platform, chip: chip, inputs: numbers, names: numbers.map { panel.inputs[$0].name },
        source: source,
        isRequired: isRequired)
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

    func lenses(
      _ rules: PanelRules, _ show: PanelShow, on platform: Platform, _ chip: any GPIOChip, source: Int,
      isRequired: Bool
    ) -> PanelLenses {
      let context = OutputLensContext(
        rules: rules, show: show, platform: platform, chip: chip, outputs: numbers, source: source,
        isRequired: isRequired)
      return Self.lenses(like: devices[0], of: devices, in: context)
    }

    private static func lenses<Kind: OutputKind>(
      like first: Kind, of devices: [any OutputKind], in context: OutputLensContext
    ) -> PanelLenses {
      Kind.lenses(of: devices.compactMap { $0 as? Kind }, in: context)
    }
  }

  /// At least one device each, all of one kind.
  private(set) var inputs: [Inputs] = []
  private(set) var outputs: [Outputs] = []
  let interlocks: [InterlockedRelays]

  /// How many sources of trouble a panel has: one for each of ``inputs``, ``outputs`` and ``interlocks``, in that order, and the
  /// sounds.
  var sourceCount: Int { inputs.count + outputs.count + interlocks.count + 1 }

  init(of panel: PanelDefinition) {
    // Most inputs that follow from others need nothing.
    let lensed = panel.inputs.indices.filter { (panel.inputs[$0].device as? any DerivedInputKind)?.needsClock ?? true }
    for run in lensed.split(between: { type(of: panel.inputs[$0].device) != type(of: panel.inputs[$1].device) }) {
      inputs.append(Inputs(devices: run.map { panel.inputs[$0].device }, numbers: Array(run)))
    }
    interlocks = panel.interlocks.map { interlock in
      InterlockedRelays(
        relays: interlock.relays.compactMap { panel.outputs[$0].device as? RelayKind }, outputs: interlock.relays,
        pause: interlock.pause)
    }
    let interlocked = Set(interlocks.flatMap(\.outputs))
    var numbersOfKinds: [(kind: any OutputKind.Type, numbers: [Int])] = []
    for (number, output) in panel.outputs.enumerated() where !interlocked.contains(number) {
      let kind = type(of: output.device)
      if let place = numbersOfKinds.firstIndex(where: { $0.kind == kind }) {
        numbersOfKinds[place].numbers.append(number)
      } else {
        numbersOfKinds.append((kind, [number]))
      }
    }
    outputs = numbersOfKinds.map { _, numbers in
      Outputs(devices: numbers.map { panel.outputs[$0].device }, numbers: numbers)
    }
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
