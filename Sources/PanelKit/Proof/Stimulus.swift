import HardwareDrivers
import PanelKinds
import PanelLanguage

/// The action of a person that causes an event; times are in ticks.
struct Stimulus {
  enum Action {
    case press, release
    /// Presses and releases; for each of them the time after the event, negative before it.
    case gesture([(moment: Int, isPress: Bool)])
    case `switch`(position: Int)
    case turn(detents: Int)
    /// Makes a sensor read a number, in the units of its scale.
    case sense(Int)
    /// Emits an event, with the number that it carries, in the units of the input's scale.
    case event(Int, number: Int?)
    case unplugSensor
    case unplug(PluggableHardware)
    case plug(PluggableHardware)
    /// A remote command.
    case ask(event: Int)
    /// A remote command that sets a value.
    case set(value: Int, Int)
  }

  /// The input; -1 for hardware.
  var input: Int
  var action: Action
  /// The time from the beginning of the action to the event.
  var lead: Int
  /// The time after the event for which the contact must rest, or the hand is busy.
  var rest: Int
  var isImmediate: Bool { lead == 0 }

  /// A turn by one detent takes 4 ms; its event occurs 1 ms before the end.
  private static let (turnLead, turnRest) = (3, 1)

  /// Nil for a move that occurs by itself.
  init?(for move: Move, in situation: Situation, of model: ProofModel) {
    let millisecond = model.ticks(milliseconds: 1)
    func hand(_ input: Int32, _ action: Action, _ lead: Int = 0, _ rest: Int = 0) -> Stimulus {
      Stimulus(input: Int(input), action: action, lead: lead, rest: rest)
    }
    func debounce(_ input: Int32) -> Int { model.ticks(model.panel.inputs[Int(input)].device.debounce) }
    func delay(_ input: Int32) -> Int { model.ticks(model.panel.inputs[Int(input)].device.readingDelay) }
    switch move {
    case .lose(let hardware): self = hand(-1, .unplug(hardware))
    case .restore(let hardware): self = hand(-1, .plug(hardware))
    case .ask(let event): self = hand(-1, .ask(event: Int(event)))
    case .set(let value, let number): self = hand(-1, .set(value: Int(value), number))
    case .loseSensor(let input): self = hand(input, .unplugSensor, delay(input))
    case .loseClock: self = hand(Int32(model.followedClock ?? 0), .unplugSensor)
    case .reading(let input, let place):
      guard case .sensor(let numbers) = model.inputs[Int(input)] else { return nil }
      self = hand(input, .sense(numbers[Int(place)]), delay(input))
    case .event(let input, let event, let number):
      let device = model.panel.inputs[Int(input)].device
      if type(of: device).control == .selector {
        let position = device.position(after: Int(event)) ?? 0
        self = hand(input, .switch(position: position), model.ticks(device.settlingTime(to: position)), millisecond)
        return
      }
      if type(of: device).control == .events {
        var carried: Int?
        if number >= 0, case .events(_, _, let numbers) = model.inputs[Int(input)] { carried = numbers[Int(number)] }
        self = hand(input, .event(Int(event), number: carried))
        return
      }
      guard model.panel.inputs[Int(input)].device.gesture != nil else {
        let detents = Int(event) == EncoderKind.clockwise ? 1 : -1
        self = hand(input, .turn(detents: detents), Self.turnLead * millisecond, Self.turnRest * millisecond)
        return
      }
      let presses = model.presses(for: Int(event), of: Int(input))
      let (first, last) = (presses.first?.moment ?? 0, presses.last?.moment ?? 0)
      self = hand(input, .gesture(presses), -first, max(0, last + debounce(input) + millisecond))
    case .find(let input, let position):
      if case .button = model.inputs[Int(input)] {
        self = hand(input, position == 1 ? .press : .release, debounce(input), millisecond)
      } else {
        let lead = model.ticks(model.panel.inputs[Int(input)].device.settlingTime(to: Int(position)))
        self = hand(input, .switch(position: Int(position)), lead, millisecond)
      }
    case .contact(let input):
      let position = 1 - model.position(of: Int(input), in: situation)
      if case .button = model.inputs[Int(input)] {
        self = hand(input, position == 1 ? .press : .release, debounce(input), millisecond)
      } else {
        let lead = model.ticks(model.panel.inputs[Int(input)].device.settlingTime(to: position))
        self = hand(input, .switch(position: position), lead, millisecond)
      }
    case .alarm, .pass, .start: return nil
    }
  }

  private init(input: Int, action: Action, lead: Int, rest: Int) {
    (self.input, self.action, self.lead, self.rest) = (input, action, lead, rest)
  }
}

extension ProofModel {
  /// The shortest presses and releases of a button that cause one of its events. Moments are relative to the event.
  fileprivate func presses(for event: Int, of input: Int) -> [(moment: Int, isPress: Bool)] {
    guard let gesture = panel.inputs[input].device.gesture else { return [] }
    let debounce = ticks(panel.inputs[input].device.debounce)
    // The time for which a contact must stay in a position to count, with 1 ms to spare.
    let least = ticks(panel.inputs[input].device.longestDebounce) + ticks(milliseconds: 1)
    let (hold, repetition) = (ticks(gesture.hold ?? .zero), ticks(gesture.repetition ?? .zero))
    switch event {
    case ButtonEvent.held: return [(-debounce - hold, true), (least - debounce, false)]
    case ButtonEvent.repeated: return [(-debounce - hold - repetition, true), (least - debounce, false)]
    default: break
    }
    guard let clicks = ButtonEvent.clicks(of: event) else { return [(-debounce, true), (least - debounce, false)] }
    // The series ends at the press of its last possible click, at its release, or when no other press has followed.
    let last: Int
    if clicks < gesture.mostClicks {
      last = -ticks(gesture.doubleClick ?? .zero) - debounce
    } else if clicks > 1, gesture.hold == nil {
      last = least - debounce
    } else {
      last = -debounce
    }
    var presses: [(moment: Int, isPress: Bool)] = []
    for later in (0..<clicks).reversed() {
      let release = last - 2 * later * least
      presses.append((release - least, true))
      presses.append((release, false))
    }
    return presses
  }
}
