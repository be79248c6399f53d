import PanelLanguage

/// The devices of a panel file, grouped for their lenses.
///
/// Consecutive inputs of one kind share one driver, unless their lenses have different names. This keeps events at one
/// moment in the order of the file. Outputs of one kind share one driver, wherever they are in the file. Devices on
/// different chips have different drivers, and so do the relays of each interlock. An output that switches lines beside
/// other hardware is alone, because not each of its losses is that of a chip.
package struct DriverGroups {
  package struct Inputs {
    package let devices: [any InputKind]
    /// The numbers of the devices in the file.
    package let numbers: [Int]
    /// The number of their chip; nil for the panel's own.
    package let chip: Int?
  }

  package struct Outputs {
    package let devices: [any OutputKind]
    package let numbers: [Int]
    package let chip: Int?
  }

  /// The groups of inputs. Each has at least one device, all of one kind and on one chip.
  package private(set) var inputs: [Inputs] = []
  package private(set) var outputs: [Outputs] = []
  /// The outputs of each interlock.
  package let interlocks: [[Int]]

  /// The number of the panel's sources of trouble: one for each of ``inputs``, ``outputs`` and ``interlocks``, in that
  /// order. They are followed by one for the sounds, one for the broker if there is one, one for each address of `osc`,
  /// and one for each of `chips` that is a driver.
  var sourceCount: Int { chipSource + drivers.count }
  /// The number of the sounds' source of trouble. The number of the broker's source is the next one.
  package var soundSource: Int { inputs.count + outputs.count + interlocks.count }
  /// The number of the first source of trouble of `osc`.
  package var oscSource: Int { soundSource + (hasNetwork ? 2 : 1) }
  /// The number of the source of trouble of a chip that is a driver; nil for any other chip.
  package func source(ofChip number: Int) -> Int? { drivers.firstIndex(of: number).map { chipSource + $0 } }
  private var chipSource: Int { oscSource + oscCount }
  private let hasNetwork: Bool
  private let oscCount: Int
  /// The chips that are drivers, by their numbers in the file.
  private let drivers: [Int]

  package init(of panel: PanelDefinition) {
    hasNetwork = panel.mqtt != nil
    oscCount = panel.osc?.lensNames.count ?? 0
    drivers = panel.chips.indices.filter { type(of: panel.chips[$0].kind).isDriver }
    // Most derived inputs need no lens, and the driver of an output emits its events.
    let lensed = panel.inputs.indices.filter { input in
      let device = panel.inputs[input].device
      return device.derived?.needsClock ?? !(device is OutputEventInput)
    }
    let runs = lensed.split { one, other in
      let (one, other) = (panel.inputs[one].device, panel.inputs[other].device)
      return type(of: one) != type(of: other) || one.lens != other.lens || panel.chip(of: one) != panel.chip(of: other)
    }
    for run in runs {
      let devices = run.map { panel.inputs[$0].device }
      inputs.append(Inputs(devices: devices, numbers: Array(run), chip: panel.chip(of: devices[0])))
    }
    interlocks = panel.interlocks.map(\.relays)
    let interlocked = Set(interlocks.joined())
    var numbersOfKinds: [(kind: any OutputKind.Type, chip: Int?, isAlone: Bool, numbers: [Int])] = []
    for (number, output) in panel.outputs.enumerated() where !interlocked.contains(number) {
      let (kind, chip) = (type(of: output.device), panel.chip(of: output.device))
      let isAlone = output.device.switchesLines
      let place = numbersOfKinds.firstIndex { $0.kind == kind && $0.chip == chip && !$0.isAlone }
      if let place, !isAlone {
        numbersOfKinds[place].numbers.append(number)
      } else {
        numbersOfKinds.append((kind, chip, isAlone, [number]))
      }
    }
    outputs = numbersOfKinds.map { _, chip, _, numbers in
      Outputs(devices: numbers.map { panel.outputs[$0].device }, numbers: numbers, chip: chip)
    }
  }

  /// The chip of each source of trouble; its lines are lost with the chip. For sounds, the broker and devices without
  /// lines it has no meaning.
  func chips(in panel: PanelDefinition) -> [PluggableHardware] {
    let interlocks = interlocks.map { panel.chip(of: panel.outputs[$0[0]].device) }
    let others = [Int?](repeating: nil, count: chipSource - soundSource)
    return (inputs.map(\.chip) + outputs.map(\.chip) + interlocks + others + drivers).map {
      panel.hardware(ofChip: $0)
    }
  }

  /// The number of each output's source of trouble.
  package func sources(in panel: PanelDefinition) -> [Int] {
    var sources = [Int](repeating: 0, count: panel.outputs.count)
    for (place, numbers) in (outputs.map(\.numbers) + interlocks).enumerated() {
      for output in numbers { sources[output] = inputs.count + place }
    }
    return sources
  }
}

extension PanelDefinition {
  /// The name of a lens, with the chip unless it is the panel's own: `buttons on more`.
  package func lens(_ name: String, on chip: Int?) -> String {
    chip.map { "\(name) on \(chips[$0].name)" } ?? name
  }
}

extension Array {
  /// The array in pieces, cut between each two neighbours for which `isCut` is true.
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
