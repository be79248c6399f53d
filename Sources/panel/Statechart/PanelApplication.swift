import CycleCore
import HardwareDrivers

/// A panel file as an application: an ordinary cycle, one lens for each kind of device.
final class PanelApplication {
  let panel: PanelDefinition
  let show: PanelShow
  let cycle: any Steppable
  private let currentFrame: () -> PanelFrame
  private let currentTroubleCount: () -> Int
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
      Lens(
        Each(devices.buttons),
        on: { [inputs = devices.buttonInputs] frame, event, _, _ in
          switch event {
          case .device(let number, let event):
            if let event = InputEvent(event) { rules.react(to: .input(inputs[number], event), in: &frame) }
          case .trouble(let trouble): rules.note(trouble, of: .buttons, in: &frame)
          }
        })
      Lens(
        Each(devices.switches),
        on: { [inputs = devices.switchInputs] frame, event, _, _ in
          switch event {
          case .device(let number, let event):
            if let event = InputEvent(event) { rules.react(to: .input(inputs[number], event), in: &frame) }
          case .trouble(let trouble): rules.note(trouble, of: .switches, in: &frame)
          }
        })
      Lens(
        Each(devices.encoders),
        on: { [inputs = devices.encoderInputs] frame, event, _, _ in
          switch event {
          case .device(let number, let event):
            if let event = InputEvent(event) { rules.react(to: .input(inputs[number], event), in: &frame) }
          case .trouble(let trouble): rules.note(trouble, of: .encoders, in: &frame)
          }
        })
      Lens(
        Timer<PanelDeadline>(), show: { show.deadlines(in: $0) },
        on: { frame, event, _, _ in if case .due(let deadline) = event { rules.react(to: deadline, in: &frame) } })
      Lens(
        Each(devices.leds),
        show: show.filter(of: devices.ledOutputs) { show.light($0) },
        on: { frame, event, _, _ in
          if case .trouble(let trouble) = event { rules.note(trouble, of: .leds, in: &frame) }
        },
        safe: devices.ledOutputs.map { show.light(safe[$0]) })
      Lens(
        Each(devices.bars),
        show: { [outputs = devices.barOutputs, lamps = devices.barLamps] frame in
          zip(outputs, lamps).map { output, count in
            .init(level: show.lamps(show.appearance(of: output, in: frame), of: count, in: frame))
          }
        },
        on: { frame, event, _, _ in
          if case .trouble(let trouble) = event { rules.note(trouble, of: .bars, in: &frame) }
        },
        safe: zip(devices.barOutputs, devices.barLamps).map { output, count in
          .init(level: show.lamps(safe[output], of: count, in: rules.seed))
        })
      Lens(
        Each(devices.relays),
        show: show.filter(of: devices.relayOutputs) { $0 == .on ? .on : .off },
        on: { frame, event, _, _ in
          if case .trouble(let trouble) = event { rules.note(trouble, of: .relays, in: &frame) }
        },
        safe: devices.relayOutputs.map { safe[$0] == .on ? .on : .off })
      Lens(
        AudioPlayer(card, preparing: sounds.compactMap(\.clip)),
        show: { frame in
          guard !sounds.isEmpty else { return [] }
          return AudioPlayer.Model(
            show.playing(in: frame).map { sounds[$0].sound(restart: frame[start: $0]) }, volume: show.volume(in: frame))
        },
        on: { frame, event, _, _ in
          switch event {
          case .finished(let key, .ended):
            if let sound = panel.sounds.firstIndex(where: { $0.name == key }) { rules.end(sound: sound, in: &frame) }
          case .trouble(let trouble): rules.note(trouble, of: .audio, in: &frame)
          case .underrun: frame.note(.underrun)
          case .started, .finished: break
          }
        })
    }
    self.cycle = cycle
    currentFrame = { cycle.frame }
    currentTroubleCount = { cycle.frame.troubleCount }
    addObserver = { cycle.observe($0) }
  }

  var frame: PanelFrame { currentFrame() }

  /// How much trouble there has been, without the rest of the frame.
  var troubleCount: Int { currentTroubleCount() }

  /// Calls `observer` with each new frame, after it has been shown.
  func observe(_ observer: @escaping (PanelFrame, Moment) -> Void) { addObserver(observer) }
}

extension PanelRules {
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

extension InputEvent {
  /// The panel file's word for a button's event; nil for those that it has no word for.
  init?(_ event: Button.Event) {
    switch event {
    case .pressed: self = .pressed
    case .released: self = .released
    case .held: self = .held
    case .clicked: self = .clicked
    case .doubleClicked: self = .doubleClicked
    case .edgesLost, .trouble: return nil
    }
  }

  init?(_ event: Switch.Event) {
    switch event {
    case .on: self = .on
    case .off: self = .off
    case .edgesLost, .trouble: return nil
    }
  }

  init?(_ event: RotaryEncoder.Event) {
    switch event {
    case .clockwise: self = .clockwise
    case .counterclockwise: self = .counterclockwise
    case .skipped, .edgesLost, .trouble: return nil
    }
  }
}
