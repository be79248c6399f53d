import CycleCore
import HardwareDrivers

extension DriverLawCheck where D: ~Copyable {
  // MARK: - Law 12

  /// Checks the driver's refusals of its own events, and of events with other numbers, as they arrive from recordings
  /// and from other programs.
  func checkEventsFromOutside() {
    guard let model = tellingModel else { return }
    let run = begin(model)
    guard
      attempt(
        12,
        { () throws(DriverError) in
          try run.start()
          try run.setup.stimulate()
        })
    else { return }
    let events = run.trial.events.map(\.event)
    end(run)
    var forms: Set<String> = []
    for event in events {
      if let reason = refusal(of: event) { journal.break(12, "it refuses its own event \(event): \(reason)") }
      guard let text = EventText.text(of: event), forms.insert(JSONIntegerVariants.form(of: text)).inserted else {
        continue
      }
      for variant in JSONIntegerVariants.variants(of: text) {
        // Either result is right: the law is that the call doesn't trap.
        if let other = EventText.event(variant, of: D.Event.self) { _ = refusal(of: other) }
      }
    }
  }
}
