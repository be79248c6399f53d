import CycleCore
import HardwareDrivers
import HardwareSimulation
import Terminal

/// An application as drawn by a console: the lines of its simulated chips, its frame, and its events with the names of
/// their lenses. Each input line is a button: its letter clicks it, the capital letter holds it down.
final class OperatedSwiftApplication<Frame: Equatable>: OperatedApplication, EventTap {
  private let application: any Application<Frame>
  private let platform: Platform
  private let beginning: Moment
  /// Its simulated lines, once it has started.
  private(set) var lines: HandOperatedLines?
  private var log = FoldedLog()

  init(_ application: any Application<Frame>, on platform: Platform) {
    self.application = application
    self.platform = platform
    beginning = platform.bench.now
    application.tap(self)
  }

  var bench: Bench { platform.bench }

  func start() throws(DriverError) {
    try bench.run(application)
    // The application has requested its lines now.
    lines = HandOperatedLines(of: platform)
  }

  func stop() { bench.stop() }
  func requestStop() { application.requestStop() }
  var isStopRequested: Bool { application.isStopRequested }

  // MARK: - Controls

  var controls: [ConsoleControl] { (lines?.inputs ?? []).map { ConsoleControl($0.name, .button) } }

  func obstacle(to control: Int) -> String? { nil }
  func press(_ control: Int) throws(DriverError) { try lines?.move(control, toClosed: true) }
  func release(_ control: Int) throws(DriverError) { try lines?.move(control, toClosed: false) }
  func turn(_ control: Int, by detents: Int) {}

  // MARK: - What is shown

  var view: ConsoleView {
    var rows = (lines?.outputs ?? []).map { ConsoleView.Row($0.name.description, $0.isActive ? Style.lit : Style.dark) }
    let cards = platform.simulated(named: SoundCardPort.name).compactMap { $0 as? SimulatedCard }
    if !cards.isEmpty { rows.append(.init("sound", cards.contains(where: \.isSounding) ? "♪" : "–")) }
    return ConsoleView(
      title: LineConsumer.thisProgram, time: seconds(at: bench.now), outputs: rows, state: state)
  }

  /// The properties of the frame, one row each; a single row for a frame without properties.
  private var state: [ConsoleView.Row] {
    let properties = Mirror(reflecting: application.frame).children
    let rows = properties.compactMap { child in
      child.label.map { ConsoleView.Row($0, visible("\(child.value)")) }
    }
    return rows.isEmpty ? [ConsoleView.Row("frame", visible("\(application.frame)"))] : rows
  }

  func lastEvents(_ count: Int) -> [(time: String, text: String)] {
    log.last(count).map { (seconds(at: $0.moment), $0.text) }
  }

  private func seconds(at moment: Moment) -> String { SecondsText.text(of: moment - beginning) }

  // MARK: - Events

  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment) { note("\(event)", lens, moment) }

  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment) { note("\(trouble)", lens, moment) }

  private func note(_ text: String, _ lens: Int, _ moment: Moment) {
    log.add("\(application.name(of: lens)): \(text)", at: moment)
  }
}
