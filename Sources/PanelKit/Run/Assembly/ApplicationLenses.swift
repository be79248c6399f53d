import CycleCore
import HardwareDrivers
import HardwarePlatform
import PanelEngine
import PanelKinds
import PanelLanguage
import PanelNetwork

/// The lenses of a panel: for its devices, random draws, sounds and deadlines.
struct ApplicationLenses {
  let rules: PanelRules
  /// The first frame without randomness, for models that lenses prepare in advance.
  private let seed: PanelFrame
  private let parts: DriverGroups
  private let audio: PanelTrouble.Source

  init(_ rules: PanelRules) {
    self.rules = rules
    // Without the recorder, because it would count this frame's states as entered.
    seed = rules.unrecorded.seed
    parts = DriverGroups(of: rules.panel)
    audio = PanelTrouble.Source(lens: "audio", hardware: .audio, number: parts.soundSource)
  }

  private var network: PanelTrouble.Source {
    PanelTrouble.Source(lens: "network", hardware: .network, number: parts.soundSource + 1)
  }

  var show: PanelRendering { rules.show }
  private var panel: PanelDefinition { rules.panel }

  /// The number of each output's source of trouble.
  var outputSources: [Int] { parts.sources(in: panel) }

  /// The lenses of the chips that are drivers themselves.
  ///
  /// - Parameter isRequired: whether the start fails if a chip can't be used.
  func drivers(of chips: PanelChips, isRequired: Bool) -> [LensBundle] {
    chips.drivers(in: panel).compactMap { number, driver in
      guard let place = parts.source(ofChip: number) else { return nil }
      let source = PanelTrouble.Source(lens: panel.chips[number].name, hardware: .gpio, number: place)
      return LensBundle(driver, of: source, rules, isRequired: isRequired)
    }
  }

  /// The lenses of inputs in the order of the file, then those of outputs, then those of interlocks.
  ///
  /// - Parameters:
  ///   - platform: provides the hardware that has its own port.
  ///   - chips: the chips of the devices.
  ///   - isRequired: whether the start fails if a chip or a line can't be requested.
  ///   - continuation: the state of the previous panel to continue from; nil for a new start.
  func devices(
    on platform: Platform, _ chips: PanelChips, isRequired: Bool, continuing continuation: PanelContinuation?,
    _ positions: MotorPositions
  ) -> [LensBundle] {
    var source = 0
    func nextSource() -> Int {
      defer { source += 1 }
      return source
    }
    let inputs = parts.inputs.map {
      $0.lenses(
        in: panel, rules, on: platform, chips, source: nextSource(), isRequired: isRequired, continuing: continuation)
    }
    let outputs = parts.outputs.map {
      $0.lenses(
        rules, seed, on: platform, chips, source: nextSource(), isRequired: isRequired, continuing: continuation,
        positions)
    }
    let interlocks = zip(parts.interlocks, panel.interlocks).enumerated().map { place, pair in
      let (outputs, interlock) = pair
      let relays = outputs.map { panel.outputs[$0].device.driven }
      let chip = panel.chip(of: relays[0])
      return InterlockedRelays(relays: relays, outputs: outputs, pause: interlock.pause).lens(
        in: OutputLensContext(
          rules: rules, seed: seed, platform: platform, chip: chips[chip], outputs: outputs,
          lens: panel.lens(panel.title(of: interlock), on: chip), source: nextSource(), isRequired: isRequired,
          since: [], positions: positions), beginning: continuation?.interlocks[place] ?? .rested)
    }
    return inputs + outputs + interlocks
  }

  /// The journals of the lenses after those of the devices.
  func journals(hasSounds: Bool) -> [LensEventFormatter] {
    (panel.usesChance ? [LensEventFormatter(source: audio)] : [])
      + (panel.accept.isEmpty ? [] : [LensEventFormatter(ofRemote: panel, source: audio)])
      + (hasSounds ? [LensEventFormatter(ofPlayer: audio)] : [])
      + (show.hasDeadlines ? [LensEventFormatter(ofTimer: panel)] : [])
      + (panel.mqtt == nil ? [] : [LensEventFormatter(source: network)])
  }

  /// The journal of the lens that keeps values; empty if nothing is kept.
  func journals(of kept: PanelKeptValues?) -> [LensEventFormatter] {
    kept == nil ? [] : [LensEventFormatter(ofKept: Self.values)]
  }
  private static let values = PanelTrouble.Source(lens: "values", hardware: nil)

  /// The lens for random draws; empty if nothing is random.
  func chance(_ control: RandomControl) -> LensList<Lens<PanelFrame, RandomControl.InputDriver>> {
    LensList(count: panel.usesChance ? 1 : 0) { _ in
      Lens(
        RandomControl.InputDriver(control), name: "chance",
        on: { frame, event in
          switch event {
          case .seed(let seed): frame.seed(with: seed)
          case .prescribe(let results): frame.prescribe(draws: frame.prescribedDraws + results)
          }
        })
    }
  }

  /// The lens for remote commands; empty if none are accepted.
  func remote(_ remote: RemoteCommandInput) -> LensList<Lens<PanelFrame, RemoteCommandInput.InputDriver>> {
    let rules = rules
    return LensList(count: panel.accept.isEmpty ? 0 : 1) { _ in
      Lens(
        RemoteCommandInput.InputDriver(remote), name: "remote",
        on: { frame, event, past in rules.hear(event, at: past.moment, in: &frame) })
    }
  }

  /// The lens of the sound player. Empty for a panel without sounds, which opens no card.
  func player(
    _ card: any SoundCard, _ sounds: [PanelSound], isRequired: Bool, handover: PlaybackReloadHandover?
  ) -> LensList<Lens<PanelFrame, AudioPlayer>> {
    let (rules, show, panel, audio) = (rules, show, panel, audio)
    return LensList(count: sounds.isEmpty ? 0 : 1) { _ in
      Lens(
        AudioPlayer(card, preparing: sounds.map(\.source), handover: handover), name: audio.lens,
        show: { frame in
          AudioPlayer.Model(
            show.playing(in: frame).map { sounds[$0].sound($0, show, in: frame) },
            tracks: show.tracks(in: frame), volume: show.gain(of: panel.audio.volume, in: frame))
        },
        on: { frame, event, past in
          switch event {
          case .finished(let key, .ended), .finished(let key, .failed):
            // A panel that waits for the end of a sound does not wait for one that can't be read.
            if let sound = panel.sounds.firstIndex(where: { $0.name == key }) {
              rules.end(sound: sound, at: past.moment, in: &frame)
            }
          case .underrun: frame.note(.underrun)
          case .stalled(let key): frame.note(.stalled(key))
          case .clipping(let count): frame.note(.clipping(count))
          case .started, .finished: break
          }
        }, isRequired: isRequired
      ).onTrouble { frame, trouble, past in rules.note(trouble, ofSingle: audio, at: past.moment, in: &frame) }
    }
  }

  /// The lens that keeps values; empty for a panel that keeps nothing.
  func kept(_ kept: PanelKeptValues?) -> LensList<Lens<PanelFrame, KeptValuesDriver<KeptValuesFolder>>> {
    let (rules, show) = (rules, show)
    let parts = kept.map { (items: $0.items, driver: KeptValuesDriver(in: $0.folder, from: $0.start)) }
    return LensList(count: parts == nil ? 0 : 1) { _ in
      guard let parts else { programmerError("there is no such lens") }
      return Lens(
        parts.driver, name: Self.values.lens, show: { show.kept(parts.items, in: $0) }, on: { _, _ in }
      ).onTrouble { frame, trouble, past in
        frame.hasKeptTrouble = trouble != .restored
        rules.note(trouble, of: Self.values, at: past.moment, in: &frame)
      }
    }
  }

  /// The lens of the broker connection; empty for a panel without a broker. The panel never waits for it.
  func network(_ connection: MQTTConnection?) -> LensList<Lens<PanelFrame, MQTTConnection.Client>> {
    let (rules, network) = (rules, network)
    return LensList(count: connection == nil ? 0 : 1) { _ in
      // Trouble carries the whole state of the connection.
      Lens(connection!.client, name: network.lens, on: { _, _ in })
        .onTrouble { frame, trouble, past in rules.note(trouble, ofSingle: network, at: past.moment, in: &frame) }
    }
  }

  private static let sending = PanelTrouble.Source(lens: "osc", hardware: nil)

  /// The journals of the lenses of ``sender(_:)`` and ``osc(_:)``.
  var oscJournals: [LensEventFormatter] {
    guard let osc = panel.osc else { return [] }
    let sender = panel.messages.isEmpty ? [] : [LensEventFormatter(source: Self.sending)]
    return sender + osc.lensNames.indices.map { LensEventFormatter(source: oscSource($0)) }
  }

  /// The source of trouble of an address of `osc`, by its place in ``OSCDefinition/lensNames``.
  private func oscSource(_ place: Int) -> PanelTrouble.Source {
    PanelTrouble.Source(lens: panel.osc?.lensNames[place] ?? "osc", hardware: nil, number: parts.oscSource + place)
  }

  /// The lens that sends messages; empty for a panel that sends none.
  func sender(_ connection: OSCConnection?) -> LensList<Lens<PanelFrame, MessageSender>> {
    LensList(count: panel.messages.isEmpty ? 0 : 1) { _ in
      Lens(
        MessageSender { connection?.send($0) }, name: Self.sending.lens, show: { $0.sentMessages }, on: { _, _ in }
      ).onTrouble { frame, trouble, _ in frame.note(.trouble(trouble, Self.sending)) }
    }
  }

  /// The lenses of the addresses of `osc`; empty for a panel without `osc`. The panel never waits for them and does not
  /// depend on them. The trouble of an address is reported, but does not count as lost hardware.
  func osc(_ connection: OSCConnection?) -> LensList<Lens<PanelFrame, OSCConnection.Client>> {
    let sources = (connection?.clients ?? []).indices.map { oscSource($0) }
    return LensList(count: sources.count) { place in
      let source = sources[place]
      return Lens(connection!.clients[place], name: source.lens, on: { _, _ in })
        .onTrouble { frame, trouble, _ in
          frame.note(.trouble(trouble, source))
          switch trouble {
          case .lost:
            // A new reason for an existing loss is not a second loss.
            if !frame.isMissing(source: source.number) { frame.change(source, of: [], isMissing: true) }
          case .restored: frame.change(source, of: [], isMissing: false)
          case .failed, .eventsLost: break
          }
        }
    }
  }

  private static let powerSource = PanelTrouble.Source(lens: "power", hardware: nil)

  /// The journal of the lens of ``power(on:)``.
  var powerJournals: [LensEventFormatter] {
    panel.asksForPower ? [LensEventFormatter(source: Self.powerSource)] : []
  }

  /// The lens that asks for a change of the machine's power; empty for a panel that never does.
  func power(on platform: Platform) -> LensList<Lens<PanelFrame, MachinePowerDriver>> {
    let rules = rules
    return LensList(count: panel.asksForPower ? 1 : 0) { _ in
      Lens(
        MachinePowerDriver(platform.hardware(at: MachinePowerPort())), name: Self.powerSource.lens,
        show: { $0.powerRequests }, on: { _, _ in }
      ).onTrouble { frame, trouble, past in rules.note(trouble, of: Self.powerSource, at: past.moment, in: &frame) }
    }
  }

  /// The lens of the deadlines; empty for a panel without deadlines.
  ///
  /// - Parameter running: the deadlines that were running before the start.
  func deadlines(
    resuming running: [(deadline: Timer<PanelDeadline>.Deadline, due: Moment)]
  ) -> LensList<Lens<PanelFrame, Timer<PanelDeadline>>> {
    let (rules, show) = (rules, show)
    return LensList(count: show.hasDeadlines ? 1 : 0) { _ in
      Lens(
        Timer<PanelDeadline>(resuming: running), name: "timer", show: { show.chartDeadlines(in: $0) },
        on: { frame, event, past in
          if case .due(let deadline) = event { rules.react(to: deadline, at: past.moment, in: &frame) }
        }
      ).refusingEvents { rules.refusal(of: $0) }
    }
  }
}
