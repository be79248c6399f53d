import CycleCore
import HardwareDrivers
import HardwareLinux

/// The lenses of a panel: of its devices, its chance, its sounds and its deadlines.
struct ApplicationLenses {
  let rules: PanelRules
  /// The first frame of a panel with no chance, for what lenses make in advance.
  private let seed: PanelFrame
  private let parts: PanelDevices
  private let audio: PanelTrouble.Source

  init(_ rules: PanelRules) {
    self.rules = rules
    // Without the recorder, which would count this frame's states as entered.
    seed = rules.unrecorded.seed
    parts = PanelDevices(of: rules.panel)
    audio = PanelTrouble.Source(lens: "audio", hardware: .audio, number: parts.soundSource)
  }

  private var network: PanelTrouble.Source {
    PanelTrouble.Source(lens: "network", hardware: .network, number: parts.soundSource + 1)
  }

  var show: PanelShow { rules.show }
  private var panel: PanelDefinition { rules.panel }

  /// For each output the number of its source of trouble.
  var outputSources: [Int] { parts.sources(in: panel) }

  /// Those of inputs, in the order of the file, then those of outputs.
  ///
  /// - Parameters:
  ///   - platform: gives the hardware that has a port of its own.
  ///   - chips: those that devices are on.
  ///   - isRequired: whether the start fails if a chip or a line can't be requested.
  ///   - continuation: what goes on from another panel; nil for one that begins.
  func devices(
    on platform: Platform, _ chips: PanelChips, isRequired: Bool, continuing continuation: PanelContinuation?
  ) -> [PanelLenses] {
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
        rules, seed, on: platform, chips, source: nextSource(), isRequired: isRequired, continuing: continuation)
    }
    let interlocks = zip(parts.interlocks, panel.interlocks).enumerated().map { place, pair in
      let (relays, interlock) = pair
      let chip = panel.chip(of: relays.relays[0])
      return relays.lens(
        in: OutputLensContext(
          rules: rules, seed: seed, platform: platform, chip: chips[chip], outputs: relays.outputs,
          lens: panel.lens(panel.title(of: interlock), on: chip), source: nextSource(), isRequired: isRequired,
          since: []), beginning: continuation?.interlocks[place] ?? .rested)
    }
    return inputs + outputs + interlocks
  }

  /// What is said of the events of the lenses behind those of the devices.
  func journals(hasSounds: Bool) -> [LensJournal] {
    (panel.usesChance ? [LensJournal(source: audio)] : [])
      + (panel.accept.isEmpty ? [] : [LensJournal(ofRemote: panel, source: audio)])
      + (hasSounds ? [LensJournal(ofPlayer: audio)] : [])
      + (show.hasDeadlines ? [LensJournal(ofTimer: panel)] : [])
      + (panel.mqtt == nil ? [] : [LensJournal(source: network)])
  }

  /// What is said of the events of the lens behind those.
  func journals(of kept: PanelKept?) -> [LensJournal] { kept == nil ? [] : [LensJournal(ofKept: Self.values)] }
  private static let values = PanelTrouble.Source(lens: "values", hardware: nil)

  /// None if nothing is left to chance.
  func chance(_ control: PanelControl) -> LensList<Lens<PanelFrame, PanelControl.Hand>> {
    LensList(count: panel.usesChance ? 1 : 0) { _ in
      Lens(
        PanelControl.Hand(control), name: "chance",
        on: { frame, event in
          switch event {
          case .seed(let seed): frame.seed(with: seed)
          case .prescribe(let results): frame.prescribe(draws: frame.prescribedDraws + results)
          }
        })
    }
  }

  /// None if nothing is accepted from outside.
  func remote(_ remote: PanelRemote) -> LensList<Lens<PanelFrame, PanelRemote.Hand>> {
    let rules = rules
    return LensList(count: panel.accept.isEmpty ? 0 : 1) { _ in
      Lens(
        PanelRemote.Hand(remote), name: "remote",
        on: { frame, event, past in rules.hear(event, at: past.moment, in: &frame) })
    }
  }

  /// None for a panel without sounds, which opens no card.
  func player(
    _ card: any SoundCard, _ sounds: [PanelSound], isRequired: Bool, keeper: PlaybackKeeper?
  ) -> LensList<Lens<PanelFrame, AudioPlayer>> {
    let (rules, show, panel, audio) = (rules, show, panel, audio)
    return LensList(count: sounds.isEmpty ? 0 : 1) { _ in
      Lens(
        AudioPlayer(card, preparing: sounds.compactMap(\.clip), keeper: keeper), name: audio.lens,
        show: { frame in
          AudioPlayer.Model(
            show.playing(in: frame).map { sounds[$0].sound(restart: frame[start: $0]) }, volume: show.volume(in: frame))
        },
        on: { frame, event, past in
          switch event {
          case .finished(let key, .ended):
            if let sound = panel.sounds.firstIndex(where: { $0.name == key }) {
              rules.end(sound: sound, at: past.moment, in: &frame)
            }
          case .underrun: frame.note(.underrun)
          case .started, .finished: break
          }
        }, isRequired: isRequired
      ).onTrouble { frame, trouble, past in rules.note(trouble, of: audio, at: past.moment, in: &frame) }
    }
  }

  /// None for a panel that keeps nothing.
  func kept(_ kept: PanelKept?) -> LensList<Lens<PanelFrame, KeptValues<PanelFolder>>> {
    let (rules, show) = (rules, show)
    let parts = kept.map { (items: $0.items, driver: KeptValues(in: $0.folder, from: $0.start)) }
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

  /// None for a panel without a broker. Nothing of the panel waits for it.
  func network(_ connection: NetworkConnection?) -> LensList<Lens<PanelFrame, NetworkConnection.Client>> {
    let (rules, network) = (rules, network)
    return LensList(count: connection == nil ? 0 : 1) { _ in
      // Trouble says all of the connection.
      Lens(connection!.client, name: network.lens, on: { _, _ in })
        .onTrouble { frame, trouble, past in
          // Another reason while it is lost is no other loss.
          if case .lost = trouble, frame.isMissing(source: network.number) {
            frame.note(.trouble(trouble, network))
          } else {
            rules.note(trouble, of: network, at: past.moment, in: &frame)
          }
        }
    }
  }

  private static let sending = PanelTrouble.Source(lens: "osc", hardware: nil)

  /// What is said of the events of the lenses of ``sender(_:)`` and ``osc(_:)``.
  var oscJournals: [LensJournal] {
    guard let osc = panel.osc else { return [] }
    let sender = panel.messages.isEmpty ? [] : [LensJournal(source: Self.sending)]
    return sender + osc.lensNames.indices.map { LensJournal(source: oscSource($0)) }
  }

  /// The source of trouble of an address of `osc`, by its place in ``OSCDefinition/lensNames``.
  private func oscSource(_ place: Int) -> PanelTrouble.Source {
    PanelTrouble.Source(lens: panel.osc?.lensNames[place] ?? "osc", hardware: nil, number: parts.oscSource + place)
  }

  /// None for a panel that sends no messages.
  func sender(_ connection: OSCConnection?) -> LensList<Lens<PanelFrame, MessageSender>> {
    LensList(count: panel.messages.isEmpty ? 0 : 1) { _ in
      Lens(
        MessageSender { connection?.send($0) }, name: Self.sending.lens, show: { $0.sentMessages }, on: { _, _ in }
      ).onTrouble { frame, trouble, _ in frame.note(.trouble(trouble, Self.sending)) }
    }
  }

  /// None for a panel without `osc`. Nothing of the panel waits for it, and nothing on it changes with it: the trouble of an address is
  /// told, and is no loss of hardware.
  func osc(_ connection: OSCConnection?) -> LensList<Lens<PanelFrame, OSCConnection.Client>> {
    let sources = (connection?.clients ?? []).indices.map { oscSource($0) }
    return LensList(count: sources.count) { place in
      let source = sources[place]
      return Lens(connection!.clients[place], name: source.lens, on: { _, _ in })
        .onTrouble { frame, trouble, _ in
          frame.note(.trouble(trouble, source))
          switch trouble {
          case .lost:
            // Another reason while it is lost is no other loss.
            if !frame.isMissing(source: source.number) { frame.change(source, of: [], isMissing: true) }
          case .restored: frame.change(source, of: [], isMissing: false)
          case .failed, .eventsLost: break
          }
        }
    }
  }

  /// None for a panel without any.
  ///
  /// - Parameter running: the deadlines that ran before the start.
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
