import CycleCore
import HardwareDrivers
import Monitor

/// An application in Swift as shown by the monitor.
final class MonitoredSwiftApplication: MonitoredApplication {
  let application: any Application
  let recorder: Recorder
  let takes: (any MonitorRecordingEditor)?
  private let platform: Platform
  /// Its simulated lines; nil if it has no simulated chip.
  private let inputs: HandOperatedLines?

  /// - Parameters:
  ///   - application: the application, started.
  ///   - recorder: the application's recorder.
  ///   - platform: the platform that the application runs on.
  ///   - inputs: its simulated lines; nil if it has no simulated chip.
  ///   - takes: plays edited recordings of its recording: ``ReplaySubprocess`` of a program that drives hardware.
  init(
    _ application: any Application, recorder: Recorder, on platform: Platform, inputs: HandOperatedLines?,
    takes: any MonitorRecordingEditor
  ) {
    (self.application, self.recorder, self.platform, self.inputs) = (application, recorder, platform, inputs)
    self.takes = takes
  }

  var isSimulated: Bool { inputs != nil }

  /// Writes the name and the simulated input lines, as buttons.
  func describe(to writer: inout JSONWriter) -> Bool {
    guard let inputs else { return false }
    writer.beginObject()
    writer.key(plain: "name")
    writer.write(LineConsumer.thisProgram)
    writer.key(plain: "inputs")
    writer.beginArray()
    for input in inputs.inputs {
      writer.beginObject()
      for (key, text) in [("name", input.name), ("kind", "line"), ("control", "button")] as [(StaticString, String)] {
        writer.key(plain: key)
        writer.write(text)
      }
      writer.key(plain: "lines")
      writer.beginArray()
      writer.write(input.name)
      writer.endArray()
      writer.key(plain: "lens")
      writer.write(-1)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return true
  }

  func settle() throws(DriverError) {
    try platform.bench.settle()
    try platform.bench.step(until: platform.bench.now)
  }

  /// Presses or releases an input line: `press GPIO17`.
  func perform(step: String) throws(MonitorRefusal) {
    guard let inputs else { throw MonitorRefusal(409, "the devices are not simulated; operate them by hand") }
    let words = step.split(separator: " ", maxSplits: 1)
    let number = inputs.inputs.firstIndex { words.count == 2 && $0.name == words[1] }
    guard let number, words[0] == "press" || words[0] == "release" else {
      let names = inputs.inputs.prefix(40).map(\.name).joined(separator: ", ")
      throw MonitorRefusal(422, "a step is press LINE or release LINE; the input lines are: \(names)")
    }
    do throws(DriverError) {
      try inputs.move(number, toClosed: words[0] == "press")
    } catch {
      throw MonitorRefusal(409, "\(error)")
    }
  }
}
