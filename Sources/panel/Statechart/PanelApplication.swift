import CycleCore
import HardwareDrivers

/// A panel file as an application: an ordinary cycle, one lens for each kind of device.
final class PanelApplication {
  let panel: PanelDefinition
  let show: PanelShow
  let cycle: any Steppable
  private let currentFrame: () -> PanelFrame
  private let currentTroubleCount: () -> Int
  private let currentLossCount: () -> Int
  private let addObserver: (@escaping (PanelFrame, Moment) -> Void) -> Void

  /// - Parameter sounds: the file's sounds, in its order; empty for a panel without any.
  init(_ panel: PanelDefinition, on chip: any GPIOChip, card: any SoundCard, sounds: [PanelSound]) {
    self.panel = panel
    let rules = PanelRules(panel: panel)
    let show = PanelShow(panel: panel)
    self.show = show
    let devices = PanelDevices(of: panel, on: chip)
    let safe = panel.safe

    let cycle = Cycle(seed: rules.seed) {
      rules.lens(of: devices.buttons, as: devices.buttonInputs, .buttons)
      rules.lens(of: devices.switches, as: devices.switchInputs, .switches)
      rules.lens(of: devices.encoders, as: devices.encoderInputs, .encoders)
      PanelRules.lens(
        of: Timer<PanelDeadline>(), isUsed: show.hasDeadlines, show: { show.deadlines(in: $0) },
        on: { frame, event, _, _ in if case .due(let deadline) = event { rules.react(to: deadline, in: &frame) } })
      rules.lens(
        of: devices.leds, .leds, show: show.filter(of: devices.ledOutputs) { show.light($0) },
        safe: devices.ledOutputs.map { show.light(safe[$0]) })
      rules.lens(
        of: devices.bars, .bars,
        show: { [outputs = devices.barOutputs, lamps = devices.barLamps] frame in
          zip(outputs, lamps).map { output, count in
            .init(level: show.lamps(show.appearance(of: output, in: frame), of: count, in: frame))
          }
        },
        safe: zip(devices.barOutputs, devices.barLamps).map { output, count in
          .init(level: show.lamps(safe[output], of: count, in: rules.seed))
        })
      rules.lens(
        of: devices.relays, .relays, show: show.filter(of: devices.relayOutputs) { $0 == .on ? .on : .off },
        safe: devices.relayOutputs.map { safe[$0] == .on ? .on : .off })
      PanelRules.lens(
        of: AudioPlayer(card, preparing: sounds.compactMap(\.clip)), isUsed: !sounds.isEmpty,
        show: { frame in
          AudioPlayer.Model(
            show.playing(in: frame).map { sounds[$0].sound(restart: frame[start: $0]) }, volume: show.volume(in: frame))
        },
        on: { frame, event, _, _ in
          switch event {
          case .finished(let key, .ended):
            if let sound = panel.sounds.firstIndex(where: { $0.name == key }) { rules.end(sound: sound, in: &frame) }
          case .finished(let key, .lost):
            if let sound = panel.sounds.firstIndex(where: { $0.name == key }) { rules.cutOff(sound: sound, in: &frame) }
          case .trouble(let trouble): rules.note(trouble, of: .audio, in: &frame)
          case .underrun: frame.note(.underrun)
          case .started, .finished: break
          }
        })
    }
    self.cycle = cycle
    currentFrame = { cycle.frame }
    currentTroubleCount = { cycle.frame.troubleCount }
    currentLossCount = { cycle.frame.lossCount }
    addObserver = { cycle.observe($0) }
  }

  var frame: PanelFrame { currentFrame() }

  /// How much trouble there has been, without the rest of the frame.
  var troubleCount: Int { currentTroubleCount() }

  /// How many edges have been lost at least, without the rest of the frame.
  var lossCount: Int { currentLossCount() }

  /// Calls `observer` with each new frame, after it has been shown.
  func observe(_ observer: @escaping (PanelFrame, Moment) -> Void) { addObserver(observer) }
}

extension PanelRules {
  /// A lens of a driver that not every panel has a use for; without one it shows its safe model in all frames.
  @inline(__always)
  fileprivate static func lens<D: Driver>(
    of driver: D, isUsed: Bool, show: @escaping (PanelFrame) -> D.Model,
    on: @escaping Lens<PanelFrame, D>.EventFilter, safe: D.Model? = nil
  ) -> Lens<PanelFrame, D> {
    isUsed
      ? Lens(driver, show: show, on: on, safe: safe)
      : Lens(driver, showing: safe ?? driver.safeModel, on: on, safe: safe)
  }

  /// A lens of the inputs of one kind: each event that the panel file has a word for is one of the input with the device's number.
  @inline(__always)
  fileprivate func lens<Element: PanelInput>(
    of elements: [Element], as inputs: [Int], _ part: PanelFrame.Set
  ) -> Lens<PanelFrame, Each<Element>> {
    Lens(
      Each(elements),
      on: { [self] frame, event, _, _ in
        switch event {
        case .device(let number, let event):
          if let word = Element.word(for: event) { react(to: .input(inputs[number], word), in: &frame) }
          if let edges = Element.lostEdges(in: event) { frame.noteLoss(of: edges, at: inputs[number]) }
        case .trouble(let trouble): note(trouble, of: part, in: &frame)
        }
      })
  }

  /// A lens of the outputs of one kind.
  @inline(__always)
  fileprivate func lens<Element: LineDriver>(
    of elements: [Element], _ part: PanelFrame.Set, show: @escaping (PanelFrame) -> [Element.Model],
    safe: [Element.Model]
  ) -> Lens<PanelFrame, Each<Element>> {
    Self.lens(
      of: Each(elements), isUsed: !elements.isEmpty, show: show,
      on: { [self] frame, event, _, _ in if case .trouble(let trouble) = event { note(trouble, of: part, in: &frame) }
      },
      safe: safe)
  }

  /// What trouble of a driver means to the panel: hardware that went away or came back.
  func note(_ trouble: Trouble, of part: PanelFrame.Set, in frame: inout PanelFrame) {
    frame.note(.trouble(trouble, part))
    switch trouble {
    case .lost: change(part, isMissing: true, in: &frame)
    case .restored: change(part, isMissing: false, in: &frame)
    case .failed, .eventsLost: break
    }
  }
}

/// A driver of devices that a panel file can react to.
protocol PanelInput: LineDriver where Model == NoModel {
  /// The file's word for an event; nil for those that it has none for.
  static func word(for event: Event) -> InputEvent?
  /// How many edges are missing at least, where the event says that some are; nil for other events.
  static func lostEdges(in event: Event) -> Int?
}

extension Button: PanelInput {
  static func word(for event: Event) -> InputEvent? {
    switch event {
    case .pressed: .pressed
    case .released: .released
    case .held: .held
    case .clicked: .clicked
    case .doubleClicked: .doubleClicked
    case .edgesLost, .trouble: nil
    }
  }

  static func lostEdges(in event: Event) -> Int? { if case .edgesLost(let count) = event { count ?? 1 } else { nil } }
}

extension Switch: PanelInput {
  static func word(for event: Event) -> InputEvent? {
    switch event {
    case .on: .on
    case .off: .off
    case .edgesLost, .trouble: nil
    }
  }

  static func lostEdges(in event: Event) -> Int? { if case .edgesLost(let count) = event { count ?? 1 } else { nil } }
}

extension RotaryEncoder: PanelInput {
  static func word(for event: Event) -> InputEvent? {
    switch event {
    case .clockwise: .clockwise
    case .counterclockwise: .counterclockwise
    case .skipped, .edgesLost, .trouble: nil
    }
  }

  static func lostEdges(in event: Event) -> Int? {
    switch event {
    case .edgesLost(let count): count ?? 1
    case .skipped: 1
    default: nil
    }
  }
}
