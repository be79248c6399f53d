import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import Terminal

/// The relays of one interlock, or one relay that rests. They have one driver.
package struct InterlockedRelays {
  package let relays: [any DrivenOutputKind]
  /// The numbers of the relays in the file.
  package let outputs: [Int]
  package let pause: Duration

  package init(relays: [any DrivenOutputKind], outputs: [Int], pause: Duration) {
    (self.relays, self.outputs, self.pause) = (relays, outputs, pause)
  }

  /// - Parameters:
  ///   - context: the context of ``outputs``.
  ///   - beginning: the known state of the relays before the start.
  package func lens(in context: OutputLensContext, beginning: Interlock.Beginning = .rested) -> LensBundle {
    let (rules, outputs) = (context.rules, context.outputs)
    let names = outputs.map { rules.panel.outputs[$0].name }
    let source = PanelTrouble.Source(lens: context.lens, hardware: .gpio, number: context.source)
    let areOn = context.show.models(of: outputs, seed: context.seed) { _, appearance, _ in appearance == .on }
    let trouble = { (event: Interlock.Event) -> PanelTrouble? in
      guard case .askedTogether(let asked, let kept) = event else { return nil }
      return .askedTogether(names.indices.filter { asked[$0].isActive }.map { names[$0] }, kept: names[kept])
    }
    let emitsContacts = rules.panel.readsContacts
    return LensBundle(
      lenses: AnyLensGroup {
        Lens(
          Interlock(
            relays.map { kind in
              guard let relay = kind.relay(on: context.chip) else {
                programmerError("\(type(of: kind)) is interlockable and has no relay: implement relay(on:)")
              }
              return relay
            },
            settings: .init(pause: pause, emitsContacts: emitsContacts, alwaysPauses: relays.count == 1),
            beginning: beginning),
          name: source.lens,
          show: { frame in
            var asked: LineValues = []
            for (place, isOn) in areOn.models(in: frame).enumerated() where isOn { asked[place] = .active }
            return asked
          },
          on: { frame, event, past in
            if let trouble = trouble(event) { frame.note(trouble) }
            guard case .contacts(let closed) = event else { return }
            let contacts = outputs.enumerated().map { place, output in
              (output, place == closed ? PanelFrame.closedContact : PanelFrame.openContact)
            }
            rules.move(contacts, at: past.moment, in: &frame)
          }, isRequired: context.isRequired
        ).onTrouble { frame, trouble, past in
          rules.note(trouble, of: source, at: past.moment, in: &frame)
          if case .lost = trouble {
            rules.move(outputs.map { ($0, PanelFrame.unknownPosition) }, at: past.moment, in: &frame)
          }
        }
      },
      journal: LensEventFormatter(
        source: source,
        text: { event in
          switch event as? Interlock.Event {
          case .contacts(let closed?)?: "\(names[closed]) is closed"
          case .contacts(nil)?: "\(listed(names)) \(names.count == 1 ? "is" : "are") open"
          case let event?: trouble(event)?.text
          case nil: nil
          }
        },
        isTrouble: { ($0 as? Interlock.Event).flatMap(trouble) != nil }))
  }
}
