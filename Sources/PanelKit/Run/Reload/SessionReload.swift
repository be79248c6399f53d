import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelKinds
import PanelLanguage
import PanelNetwork

extension PanelSession {
  /// Replaces the session's panel with another one. Everything that is the same in both continues.
  ///
  /// Lines with the same name and configuration stay requested, and the new panel reads the edges that occur during the
  /// reload. States with the same path, and values and positions with the same name, stay. Displays and sensors start
  /// again.
  ///
  /// Call this between two turns, on a session that is reloadable. It takes some milliseconds: the start of the new
  /// panel and the stop of the old drivers. It takes longer if a display on a bus must be cleared.
  ///
  /// - Parameters:
  ///   - panel: the new panel, read and checked.
  ///   - sounds: the sounds of the new panel. Identical sounds share the samples of the previous panel:
  ///     ``PanelSound/all(_:like:)``.
  ///   - text: the text of the panel file, from which MQTT clients can identify it; nil if that is not needed.
  ///   - recording: called when the panel is about to start; returns the recording of the new panel. The recording of
  ///     the previous panel ends.
  /// - Returns: the changes of lines, values and states, one line each.
  /// - Throws: ``RemoteRefusal`` if the panel can't be replaced; the previous panel then continues. If the new panel
  ///   fails to start on this hardware, the previous one is started again. If that fails too, the session has stopped.
  package func reload(
    to panel: PanelDefinition, sounds: [PanelSound], text: [UInt8]? = nil, recording: () -> RecordingSetup? = { nil }
  ) throws(RemoteRefusal) -> [String] {
    precondition(settings.isReloadable, "this session was made for one panel")
    guard halt == nil, !application.cycle.isStopRequested else {
      throw RemoteRefusal(.stopped, "the panel has stopped; restart it")
    }
    try checkChips(of: panel)
    try claimState(for: panel)
    let (old, frame, show) = (self.panel, self.frame, application.show)
    let same = Set(panel.sounds.filter { sound in old.sounds.contains(sound) }.map(\.name)).intersection(
      PanelSound.sameSounds(settings.sounds, sounds))
    let keptBefore = settings.kept
    let kept = PanelKeptValues.next(of: panel, after: keptBefore, in: frame, else: settings.place)
    let resumed = ResumedFrame(
      PanelRules(panel: panel), from: old, in: frame, at: now, beginning: beginning, sameSounds: same,
      kept: kept?.numbersByName ?? [:])
    let continuation = continuation(of: panel, resumed, show)
    if let stop = continuation.frame.stop { throw RemoteRefusal(.stopped, stop.text(in: panel)) }
    let (before, handovers) = (settings.chips?.lines(of: old) ?? [], settings.chips?.handovers ?? [])
    // Existing chips get the new lines.
    let nextChips = chips.flatMap { SimulatedChips(of: panel, on: platform, replacing: ($0, old)) }
    do throws(DriverError) {
      let trial = try RequiredLines(
        of: panel, continuing: continuation, chance: chance, on: Platform(.simulated, beginning: now))
      try beginHandover(to: trial.requests, of: panel)
    } catch {
      throw RemoteRefusal(.busy, "\(error)")
    }
    let (oldSounds, oldCard, oldChips, oldNetwork) = (settings.sounds, settings.card, chips, settings.network)
    endApplication(keepingSounds: panel.audio.device == old.audio.device)
    if let text { settings.network?.note(text) }
    (settings.sounds, settings.kept) = (sounds, kept)
    if panel.audio.device != old.audio.device {
      let port = SoundCardPort(device: panel.audio.device)
      (settings.card, card) = (platform.hardware(at: port), platform.simulated(at: port))
    }
    do throws(DriverError) {
      try begin(panel, on: nextChips, replacing: old, continuation, recording())
    } catch {
      // The panel starts on simulated hardware, but not on this: start the previous one again.
      let back = ResumedFrame(
        PanelRules(panel: old), from: old, in: frame, at: now, beginning: beginning,
        sameSounds: Set(old.sounds.map(\.name)))
      let continuation = self.continuation(of: old, back, show)
      (settings.sounds, settings.card, settings.network) = (oldSounds, oldCard, oldNetwork)
      settings.kept = PanelKeptValues.next(of: old, after: keptBefore, in: frame, else: settings.place)
      do throws(DriverError) { try begin(old, on: oldChips, replacing: panel, continuation, nil) } catch {
        throw RemoteRefusal(.stopped, "\(error)")
      }
      throw RemoteRefusal(.busy, "\(error)")
    }
    settings.positions.forgetUnused()
    let changes = ReloadReport(from: old, frame, show, to: application)
    let lines = changes.lines(from: before, to: settings.chips?.lines(of: panel) ?? []) { name in
      handovers.contains { $0?.configuration(of: name) != nil }
    }
    return lines + changes.values + changes.states
  }

  /// Claims the folder of kept values, if this is the first panel that keeps any.
  private func claimState(for panel: PanelDefinition) throws(RemoteRefusal) {
    guard settings.stateClaim == nil else { return }
    do throws(DriverError) { settings.stateClaim = try settings.place.claim(for: panel) } catch {
      throw RemoteRefusal(.busy, "\(error)")
    }
  }

  /// Refuses changes that are impossible while lines are held: chips that hold lines of other chips.
  private func checkChips(of panel: PanelDefinition) throws(RemoteRefusal) {
    guard panel.chip == self.panel.chip else {
      throw RemoteRefusal(
        .busy, "the panel's chip is \(panel.chip) now, and was \(self.panel.chip); restart the panel")
    }
    for (chip, kept) in zip(panel.chips, panel.keptChips(of: self.panel)) where !chip.kind.lines.isEmpty && kept == nil
    {
      let reason =
        self.panel.chips.contains(chip) ? "is wired to a chip that has changed" : "is new or has changed"
      throw RemoteRefusal(.busy, "the chip \(chip.name) \(reason); restart the panel")
    }
  }

  private func continuation(
    of panel: PanelDefinition, _ resumed: ResumedFrame, _ oldShow: PanelRendering
  ) -> PanelContinuation {
    let frame = resumed.make()
    return PanelContinuation(
      frame: frame, since: resumed.since(in: frame, oldShow), running: resumed.running(in: frame),
      interlocks: panel.interlocks.map { beginning(of: $0, in: panel) })
  }

  /// Returns the known positions of the relays in an interlock of the new panel.
  private func beginning(of interlock: PanelDefinition.Interlock, in panel: PanelDefinition) -> Interlock.Beginning {
    let held = interlock.relays.map { relay -> LineConfiguration? in
      let device = panel.outputs[relay].device
      guard let handover = handover(of: panel.chip(of: device), in: panel), let line = device.lines.first else {
        return nil
      }
      return handover.configuration(of: LineName(line))
    }
    guard held.contains(where: { $0 != nil }) else { return .rested }
    return .handedOver(
      closed: held.firstIndex { line in
        if case .output(.active, _, _)? = line?.direction { true } else { false }
      })
  }

  // MARK: - Handover

  /// Returns the handover of a chip's lines in the new panel; nil for a chip that the current panel doesn't have.
  private func handover(of chip: Int?, in panel: PanelDefinition) -> LineHandover? {
    guard let handovers = settings.chips?.handovers else { return nil }
    guard let chip else { return handovers[0] }
    return panel.keptChips(of: self.panel)[chip].flatMap { handovers[$0 + 1] }
  }

  /// Requests the new lines on existing chips.
  private func beginHandover(to requests: [[[LineConfiguration]]], of panel: PanelDefinition) throws(DriverError) {
    var begun: [LineHandover] = []
    let driven = linesDrivenByPWM
    do throws(DriverError) {
      for (number, requests) in requests.enumerated() {
        guard let handover = handover(of: number == 0 ? nil : number - 1, in: panel) else { continue }
        // A channel that the old panel drives by PWM is free when that panel has stopped.
        try handover.begin(
          to: driven.isEmpty
            ? requests : requests.map { lines in lines.filter { !driven.contains($0.name) } }.filter { !$0.isEmpty })
        begun.append(handover)
      }
    } catch {
      for handover in begun {
        handover.end()
        handover.releaseUnused()
      }
      throw error
    }
  }

  /// The lines of `chips` that the current panel drives by their PWM channels.
  private var linesDrivenByPWM: Set<LineName> {
    guard !panel.chips.isEmpty else { return [] }
    return Set(
      panel.outputs.flatMap { output in
        output.device.lines.filter { panel.pwmChannel(of: $0, in: output) != nil }.map { LineName($0) }
      })
  }

  private func endApplication(keepingSounds: Bool) {
    if let recorder {
      recorder.endReason = .reloaded
      (self.recorder, bench.recorder, settings.edgeRecorder) = (nil, nil, nil)
    }
    if keepingSounds { settings.player?.begin() }
    bench.stop()
    settings.player?.end()
    for handover in settings.chips?.handovers ?? [] { handover?.end() }
  }

  /// Starts the next panel. Unavailable hardware is reported as trouble from now on.
  private func begin(
    _ panel: PanelDefinition, on chips: SimulatedChips?, replacing old: PanelDefinition,
    _ continuation: PanelContinuation, _ recording: RecordingSetup?
  ) throws(DriverError) {
    settings.waitsForLines = true
    settings.isSoundRequired = false
    let next = record.map { _ in RuleTrace(of: panel) }
    let oldChips = settings.chips?.handovers ?? []
    let recorder = recording?.recorder(of: panel)
    // A replay starts from this frame, because it doesn't know the previous panel.
    recorder?.begin(
      with: PanelRules(panel: panel).first(withChance: UInt64(bitPattern: Int64(continuation.frame.stream))))
    if recording?.hasEdges ?? false { settings.edgeRecorder = recorder }
    application = settings.application(of: panel, next, replacing: (old, continuation))
    if let recorder { try record(with: recorder) }
    record = next
    let oldSimulated = self.chips
    self.chips = chips
    let oldWorlds = old.outputs.indices.filter { worlds[$0] != nil }
    worlds = panel.outputs.map { output in
      // The simulated device stays connected to its lines when the panel changes.
      let same = oldWorlds.first { number in
        let device = old.outputs[number].device
        return device.isEqual(to: output.device)
          && oldSimulated?[old.chip(of: device)] === chips?[panel.chip(of: output.device)]
      }
      if let same { return worlds[same] }
      return output.device.driven.world(on: chips?[panel.chip(of: output.device)], platform)
    }
    world = PanelWorld(of: panel, on: platform, chips: chips, card: card, outputs: worlds, replacing: (world, old))
    journal = PanelJournal(of: application.journals)
    losses = LostEdgeLog(of: panel)
    loggedTroubleCount = 0
    view = PanelView(of: self)
    told = ViewDiff(of: self)
    traced = ViewDiff(of: self)
    defer {
      for handover in oldChips + (settings.chips?.handovers ?? []) { handover?.releaseUnused() }
      settings.player?.stopUnused()
    }
    try run()
    if record != nil { _ = changes() }
  }
}

extension PanelChips {
  /// Returns the held lines of devices in the order of the file, each with its name in the file.
  fileprivate func lines(of panel: PanelDefinition) -> [LineConfiguration] {
    handovers.enumerated().flatMap { number, handover in
      panel.lines(on: number == 0 ? nil : number - 1).compactMap { handover?.configuration(of: LineName($0)) }
    }
  }
}
