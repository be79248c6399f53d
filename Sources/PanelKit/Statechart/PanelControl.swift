import CycleCore

/// Decides from outside what chance does on a panel: a scenario seeds it, and says what is drawn next.
final class PanelControl {
  enum Event: Equatable, Sendable, Codable {
    case seed(UInt64)
    /// The results of the next draws, behind those that wait already.
    case prescribe([Int])
  }

  /// The driver that tells the panel.
  struct Hand: Driver {
    typealias Model = NoModel

    private let control: PanelControl

    init(_ control: PanelControl) {
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
      guard case .prescribe(let results) = event, results.count > PanelControl.mostResults else { return nil }
      return "at most \(PanelControl.mostResults) random results can be prescribed together"
    }
  }

  /// How many results of draws are told at once.
  static let mostResults = 10_000

  private var context: DriverContext<Event>?

  /// Does nothing on a panel without chance.
  func seed(_ seed: UInt64) { tell(.seed(seed)) }
  func prescribe(_ results: [Int]) { tell(.prescribe(results)) }

  /// The alarm has the event applied at once, and not only when something else happens.
  private func tell(_ event: Event) {
    guard let context else { return }
    context.emit(event)
    context.setAlarm(context.clock)
  }
}
