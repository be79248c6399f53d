import HardwareDrivers
import HardwarePlatform
import PanelEngine
import PanelKinds
import PanelLanguage

extension DriverGroups.Inputs {
  func lenses(
    in panel: PanelDefinition, _ rules: PanelRules, on platform: Platform, _ chips: PanelChips, source: Int,
    isRequired: Bool, continuing continuation: PanelContinuation?
  ) -> LensBundle {
    let context = InputLensContext(
      rules: rules, platform: platform, chip: chips[chip], inputs: numbers,
      names: numbers.map { panel.inputs[$0].name }, lens: panel.lens(devices[0].lens, on: chip), source: source,
      isRequired: isRequired,
      positions: numbers.map { number in
        (continuation?.frame[position: number]).flatMap { $0 == PanelFrame.unknownPosition ? nil : $0 }
      })
    var lenses = Self.lenses(like: devices[0].driven, of: devices, in: context)
    for place in lenses.journals.indices { lenses.journals[place].isInput = devices[0].derived == nil }
    return lenses
  }

  private static func lenses<Kind: DrivenInputKind>(
    like first: Kind, of devices: [any InputKind], in context: InputLensContext
  ) -> LensBundle {
    Kind.lenses(of: devices.compactMap { $0 as? Kind }, in: context)
  }
}

extension DriverGroups.Outputs {
  func lenses(
    _ rules: PanelRules, _ seed: PanelFrame, on platform: Platform, _ chips: PanelChips, source: Int,
    isRequired: Bool, continuing continuation: PanelContinuation?, _ positions: MotorPositions
  ) -> LensBundle {
    let context = OutputLensContext(
      rules: rules, seed: seed, platform: platform, chip: chips[chip], outputs: numbers,
      lens: rules.panel.lens(type(of: devices[0]).plural, on: chip), source: source, isRequired: isRequired,
      since: numbers.map { continuation?.since[$0] ?? nil }, positions: positions)
    return Self.lenses(like: devices[0].driven, of: devices, in: context)
  }

  private static func lenses<Kind: DrivenOutputKind>(
    like first: Kind, of devices: [any OutputKind], in context: OutputLensContext
  ) -> LensBundle {
    Kind.lenses(of: devices.compactMap { $0 as? Kind }, in: context)
  }
}
