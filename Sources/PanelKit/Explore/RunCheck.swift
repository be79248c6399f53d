import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelRun
import Terminal

/// Performs runs, each on its own simulated panel in virtual time, and checks the rules for all panels.
struct RunCheck {
  let panel: PanelDefinition
  let sounds: [PanelSound]
  /// Records the coverage of the run; nil for none.
  var coverage: Coverage?
  /// Receives the bytes of the recording of each run without a violation; nil for no recordings.
  var recorded: (([UInt8]) -> Void)?

  /// The longest time until an output matches the states: the pause of an interlock, and the slowest device.
  private var settling: Duration {
    .seconds(1) + (panel.interlocks.map(\.pause).max() ?? .zero)
      + (panel.outputs.map { $0.device.observed.lag }.max() ?? .zero)
  }

  /// Performs the run; returns the first violation.
  ///
  /// - Parameters:
  ///   - goesOn: called between steps; ends the run, without a violation, by returning false.
  ///   - didStep: called with the number of each finished step, from 1.
  /// - Throws: an error if the run can't be simulated.
  func run(
    _ run: RunInput, while goesOn: () -> Bool = { true }, didStep: (Int) -> Void = { _ in }
  ) throws -> RunViolation? {
    let session = try PanelSession(
      panel, on: Platform(.simulated), waitsForLines: true, sounds: sounds, coverage: coverage)
    for chip in session.chips?.all ?? [] { chip.keepsReleasedOutputs = true }
    // The samples are not needed.
    session.card?.keptSamples = 0
    let recording = RecordingBuffer()
    try session.record(to: [recording], source: .init(file: "", text: ""))
    try session.world.prepare(run.start)
    var isStopped = false
    defer { if !isStopped { session.stop() } }
    do throws(DriverError) {
      try session.start()
    } catch {
      return try violation(error, after: 0)
    }
    // The inputs whose events a step has emitted.
    var emitted: Set<Int> = []
    if let found = look(at: session, changedAt: session.now, emitted, after: 0) { return found }
    // The time of the last change of the hardware. Some devices notice a loss only at their next write, and are there
    // again after a second.
    var changed = session.now
    var troubleCount = session.frame.troubleCount
    var unplugged: Set<String> = []
    for (number, step) in run.steps.enumerated() {
      guard goesOn() else { return nil }
      do throws(DriverError) {
        _ = try session.perform(step)
      } catch {
        return try violation(error, after: number + 1)
      }
      didStep(number + 1)
      switch step {
      case .unplugPort(let port): unplugged.insert(port)
      case .plugPort(let port): unplugged.remove(port)
      default: break
      }
      switch step {
      case .unplug, .plug, .unplugSensor, .plugSensor, .unplugPort, .plugPort, .restart: changed = session.now
      case .event(let input, _, _): emitted.insert(input)
      default: break
      }
      if session.frame.troubleCount != troubleCount {
        troubleCount = session.frame.troubleCount
        changed = session.now
      }
      if let found = look(at: session, changedAt: changed, without: unplugged, emitted, after: number + 1) {
        return found
      }
    }
    guard goesOn() else { return nil }
    isStopped = true
    // Lost events stay recorded; a check after each step would take a tenth of the time.
    if let lens = session.lensThatLost {
      let text = "\(lens.name) lost \(counted(lens.count, "event"))"
      return RunViolation(kind: .lost(lens.number), text: text, step: run.steps.count)
    }
    if let found = try lookAtEnd(of: session, after: run.steps.count) ?? replay(recording, after: run.steps.count) {
      return found
    }
    recorded?(recording.bytes)
    return nil
  }

  private func violation(_ error: DriverError, after step: Int) throws(DriverError) -> RunViolation {
    // Input that can't be simulated is not a fault of the panel.
    guard error.kind == .failed else { throw error }
    return RunViolation(kind: .livelock, text: "\(error)", step: step)
  }

  // MARK: - After each step

  private func look(
    at session: PanelSession, changedAt changed: Moment, without ports: Set<String> = [], _ emitted: Set<Int>,
    after step: Int
  ) -> RunViolation? {
    if let halt = session.halt { return RunViolation(kind: .init(halt), text: halt.text(in: panel), step: step) }
    let frame = session.frame
    for value in panel.values.indices where panel.values[value].list == nil {
      let definition = panel.values[value]
      guard !(definition.min...definition.max).contains(frame[value: value]) else { continue }
      let range = "\(definition.text(of: definition.min))..\(definition.text(of: definition.max))"
      return RunViolation(
        kind: .range(value),
        text: "\(definition.name) is \(definition.text(of: frame[value: value])), which is not in \(range)",
        step: step)
    }
    guard frame.missing.isEmpty else { return nil }
    let reports = panel.reports
    for output in panel.outputs.indices {
      let since = max(session.outputs.since[output], changed)
      guard session.now - since > settling, !isContested(output, in: session) else { continue }
      if type(of: panel.outputs[output].device).ports.contains(where: { ports.contains($0.name) }) { continue }
      // A device that was made to report a jam doesn't look as it should.
      if let report = reports[output], emitted.contains(report) { continue }
      // A device with its own simulation needs time for a changed value, even if the appearance of the states is the
      // same.
      guard session.worlds[output] == nil || session.application.cycle.isAtRest else { continue }
      let (seen, wanted) = (session.look(of: output), session.outputs.lookWithoutHardware(of: output, at: session.now))
      guard seen != wanted else { continue }
      return RunViolation(
        kind: .output(output), text: "expected \(panel.outputs[output].name) \(wanted); it is \(seen)",
        wanted: "\(wanted)",
        step: step)
    }
    return nil
  }

  /// Whether another relay in the same interlock is switched on, too.
  private func isContested(_ output: Int, in session: PanelSession) -> Bool {
    panel.interlocks.contains { interlock in
      interlock.relays.contains(output)
        && interlock.relays.contains { $0 != output && session.outputs.appearance(of: $0) != .off }
    }
  }

  // MARK: - At the end

  private func lookAtEnd(of session: PanelSession, after step: Int) -> RunViolation? {
    let isDriven = session.frame.missing.isEmpty
    guard session.bench.stop() else {
      return RunViolation(kind: .end, text: "the drivers were still active one second after the end", step: step)
    }
    let held = session.chips?.all.reduce(0) { $0 + $1.heldLines } ?? 0
    guard held == 0 else {
      return RunViolation(kind: .end, text: "\(counted(held, "line")) still in use after the end", step: step)
    }
    // Unplugged hardware can't be set to its safe state.
    guard isDriven, let chips = session.chips, chips.all.allSatisfy(\.isPlugged) else { return nil }
    for output in panel.outputs.indices where session.worlds[output] == nil {
      let device = panel.outputs[output].device
      func look(on chip: SimulatedChip?) -> ObservedOutput {
        device.observed.look(
          of: panel.safe[output],
          in: OutputView(
            chip: chip, values: session.application.show.values(in: session.frame), age: .zero))
      }
      let (seen, wanted) = (look(on: chips[panel.chip(of: device)]), look(on: nil))
      guard seen != wanted else { continue }
      return RunViolation(
        kind: .unsafe(output), text: "expected \(panel.outputs[output].name) \(wanted) after the end; it is \(seen)",
        step: step)
    }
    return nil
  }

  private func replay(_ recording: RecordingBuffer, after step: Int) throws -> RunViolation? {
    do {
      let application = try PanelApplication.undriven(panel)
      _ = try application.cycle.replay(
        RecordingReader(RecordingBytes(recording.bytes), name: "the run"), ReplayOptions(hasDigest: false))
      return nil
    } catch let difference as ReplayDifference {
      return RunViolation(kind: .replay, text: "\(difference)", step: step)
    } catch let error as RecordingError {
      return RunViolation(kind: .replay, text: "\(error)", step: step)
    }
  }
}

extension RunViolation.Kind {
  fileprivate init(_ halt: HaltReason) {
    switch halt {
    case .violated(let never, _, _): self = .never(never)
    case .endless, .restless, .chattering: self = .endless
    }
  }
}
