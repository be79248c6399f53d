import CycleCore
import HardwareLinux
import HardwarePlatform
import Monitor
import PanelEngine
import PanelLanguage
import PanelRun

/// A panel that the monitor watches and controls.
final class MonitoredPanel: MonitoredApplication {
  /// The highest number of detents in one step: the panel is blocked until the last of them is done.
  private static let mostDetents = 20

  private let session: PanelSession
  /// The panel file's path; empty for the sample panel.
  private let file: String
  let recorder: Recorder
  let takes: (any MonitorRecordingEditor)?

  /// - Parameters:
  ///   - recorder: the session's recorder.
  ///   - takes: plays edited recordings of the session's recording: ``HardwarePlatform/ReplaySubprocess`` for a panel that
  ///     drives hardware.
  init(_ session: PanelSession, file: String, recorder: Recorder, takes: any MonitorRecordingEditor) {
    (self.session, self.file, self.recorder, self.takes) = (session, file, recorder, takes)
  }

  var application: any Application { session.application.cycle }
  var isSimulated: Bool { session.chips != nil }

  func describe(to writer: inout JSONWriter) -> Bool {
    PanelDescription(session.application, file: file).write(to: &writer)
    return true
  }

  func settle() throws(DriverError) {
    try session.bench.settle()
    try session.bench.step(until: session.now)
  }

  func perform(step text: String) throws(MonitorRefusal) {
    let placed: Scenario.PlacedStep?
    do throws(Problems) {
      placed = try StepLineReader.read(text, line: 1, file: "step", for: session.panel)
    } catch {
      throw MonitorRefusal(422, error.list.map(\.text).joined(separator: "; "))
    }
    guard let step = placed?.step else { throw MonitorRefusal(422, "the text has no step") }
    guard step.takesNoTime else {
      throw MonitorRefusal(
        422,
        "a step that takes time or expects something belongs in a scenario; here you can use press, release, turn, switch, plug and similar steps"
      )
    }
    if case .turn(_, let detents) = step, detents.magnitude > Self.mostDetents {
      throw MonitorRefusal(422, "a step turns by \(Self.mostDetents) detents at most; write several")
    }
    if let obstacle = session.obstacle(to: step) { throw MonitorRefusal(409, obstacle) }
    let failures: [String]
    do throws(DriverError) { failures = try session.perform(step) } catch { throw MonitorRefusal(409, "\(error)") }
    guard failures.isEmpty else { throw MonitorRefusal(422, failures.joined(separator: "; ")) }
  }

  /// Returns the earlier frame with newer counts: its states count as entered now, and its sounds as started again.
  func frame(showing earlier: String) throws(MonitorRefusal) -> String {
    var frame = session.application.frame
    do throws(RecordingTextFault) {
      let numbers = try JSONReader.read(earlier) { (reader) throws(RecordingTextFault) in try [Int](from: &reader) }
      let bounds = UntrustedFrameValidator(of: session.panel)
      if let reason = bounds.refusal(of: numbers) { throw RecordingTextFault("not a frame of the panel: \(reason)") }
      let now = session.application.cycle.clock
      frame.show(numbers, of: session.panel, at: now)
    } catch {
      throw MonitorRefusal(422, "\(error)")
    }
    var text = JSONWriter()
    frame.recordingNumbers.write(to: &text)
    return text.text
  }
}

extension MonitorSession {
  /// Serves a panel that has started, if the option was given.
  ///
  /// - Parameter file: the panel file's path; nil for the sample panel.
  package func serve(_ session: PanelSession, file: String?, on loop: LinuxLoop) throws(DriverError) {
    guard isAsked, let recorder = session.recorder else { return }
    try serve(MonitoredPanel(session, file: file ?? "", recorder: recorder, takes: ReplaySubprocess()), on: loop)
  }
}

extension PanelFrame {
  /// Changes the frame to one that shows the same as another frame, with counts that continue from this one.
  ///
  /// - Parameters:
  ///   - numbers: all columns of the other frame.
  ///   - moment: the current time.
  fileprivate mutating func show(_ numbers: [Int], of panel: PanelDefinition, at moment: Moment) {
    let before = self
    recordingNumbers = numbers
    for region in panel.regions.indices {
      self[entry: region] = max(before[entry: region], self[entry: region]) + 1
      if self[entered: region] >= 0 { self[entered: region] = Int(moment.nanoseconds) }
    }
    for sound in panel.sounds.indices {
      self[start: sound] = max(before[start: sound], self[start: sound])
    }
  }
}

extension Step {
  /// Whether the step is an input that takes no time.
  fileprivate var takesNoTime: Bool {
    switch self {
    case .press, .release, .turn, .switch, .unplug, .plug, .busy, .idle, .jam, .free, .bounce, .sense, .event,
      .unplugSensor, .plugSensor, .unplugPort, .plugPort, .remote, .clock:
      true
    case .click, .hold, .wait, .nothing, .heard, .expect, .show, .stutter, .powerCut, .restart, .seed, .draw, .reload:
      false
    }
  }
}
