import CycleCore

/// Controls the random draws of a panel from outside: a scenario sets the seed and the next results.
package final class RandomControl {
  package enum Event: Equatable, Sendable, Codable {
    case seed(UInt64)
    /// The results of the next draws, after those that are already waiting.
    case prescribe([Int])
  }

  /// The driver that passes the events to the panel.
  struct InputDriver: Driver {
    typealias Model = NoModel

    // The name that recordings have.
    static var recordingName: String { "Hand" }

    private let control: RandomControl

    init(_ control: RandomControl) {
      self.control = control
    }

    var safeModel: NoModel { NoModel() }
    mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
      control.context = context
    }
    mutating func render(_ model: NoModel, replacing previous: NoModel?) throws(DriverError) {}
    mutating func wake(_ wake: Wake) throws(DriverError) {}
    mutating func stop() { control.context = nil }

    func refusal(of event: Event) -> String? {
      guard case .prescribe(let results) = event, results.count > RandomControl.mostResults else { return nil }
      return "at most \(RandomControl.mostResults) random results can be prescribed together"
    }
  }

  /// The greatest number of results in one event.
  static let mostResults = 10_000

  private var context: DriverContext<Event>?

  /// Sets the seed. Does nothing on a panel without randomness.
  func seed(_ seed: UInt64) { tell(.seed(seed)) }
  func prescribe(_ results: [Int]) { tell(.prescribe(results)) }

  /// Emits an event. The alarm applies it immediately; without the alarm it would wait for the next event.
  private func tell(_ event: Event) {
    guard let context else { return }
    context.emit(event)
    context.setAlarm(context.clock)
  }
}
