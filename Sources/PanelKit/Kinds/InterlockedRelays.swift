import CycleCore
import HardwareDrivers

/// The relays of one interlock, which have one driver.
struct InterlockedRelays {
  let relays: [RelayKind]
  /// The numbers of the relays in the file.
  let outputs: [Int]
  let pause: Duration

  /// - Parameters:
  ///   - context: of ``outputs``.
  ///   - beginning: what is known of the relays before the start.
  func lens(in context: OutputLensContext, beginning: Interlock.Beginning = .rested) -> PanelLenses {
    let (rules, outputs) = (context.rules, context.outputs)
    let names = outputs.map { rules.panel.outputs[$0].name }
    let source = PanelTrouble.Source(lens: context.lens, hardware: .gpio, number: context.source)
    let areOn = context.show.models(of: outputs, seed: context.seed) { _, appearance, _ in appearance == .on }
    let trouble = { (event: Interlock.Event) -> PanelTrouble in
      guard case .askedTogether(let asked, let kept) = event else { preconditionFailure("there is no other event") }
      return .askedTogether(names.indices.filter { asked[$0].isActive }.map { names[$0] }, kept: names[kept])
    }
    return PanelLenses(
      lenses: AnyLenses {
        Lens(
          Interlock(
            relays.map { $0.device(on: context.chip) }, settings: .init(pause: pause), beginning: beginning),
          name: source.lens,
          show: { frame in
            var asked: LineValues = []
            for (place, isOn) in areOn.models(in: frame).enumerated() where isOn { asked[place] = .active }
            return asked
          },
          on: { frame, event in frame.note(trouble(event)) }, isRequired: context.isRequired
        ).onTrouble { frame, trouble, past in rules.note(trouble, of: source, at: past.moment, in: &frame) }
      },
      journal: LensJournal(
        source: source, text: { ($0 as? Interlock.Event).map { trouble($0).text } },
        isTrouble: { $0 is Interlock.Event }))
  }
}
