import CycleCore
import HardwareDrivers
import HardwareSimulation

/// The simulated side of an input.
public enum SimulatedInput {
  /// A button or a switch.
  case contact(any SimulatedContact)
  /// A knob.
  case knob(any SimulatedKnob)
  /// A sensor.
  case sensor(any SimulatedSensor)
  /// A switch with several positions.
  case selector(any SimulatedPositions)
  /// An input that emits its events one by one.
  case events(any SimulatedEvents)
  /// A derived input.
  case none
}

/// The simulated side of a button or switch, for steps of a scenario. It is a contact at a line, or another simulated
/// part.
public protocol SimulatedContact: AnyObject {
  /// The time for which the contact bounces when it closes or opens. No effect on a part that does not bounce.
  var bounce: Duration { get set }
  /// Whether the button is pressed, or the switch is on.
  var isClosed: Bool { get }
  /// Presses the button or turns the switch on, and handles everything that is due now.
  func press() throws(DriverError)
  /// Releases the button or turns the switch off, and handles everything that is due now.
  func release() throws(DriverError)
  /// Makes the contact chatter without a pause for a time; if nil, until it is moved. No effect on a part that does not
  /// chatter.
  func chatter(for span: Duration?)
}

extension SimulatedContact {
  public func chatter(for span: Duration?) {}
}

extension Contact: SimulatedContact {}

/// The simulated side of a knob, for steps of a scenario.
public protocol SimulatedKnob: AnyObject {
  /// Turns the knob clockwise by this number of detents; counterclockwise if it is negative.
  func turn(by detents: Int) throws(DriverError)
}

extension Knob: SimulatedKnob {}

/// The simulated side of an input with the control `events`, for the steps `event` of a scenario, such as a card that
/// is presented or a note that is sent.
public protocol SimulatedEvents: AnyObject {
  /// Makes the simulated part emit an event, and returns when the driver has emitted it. A contact that is debounced
  /// takes the time of the debouncing: `try bench.advance(by: debounce)`.
  ///
  /// - Parameters:
  ///   - event: the event's place in `InputKind.events`.
  ///   - number: the number that the event carries; nil for an event that carries none.
  func emit(_ event: Int, number: Double?) throws(DriverError)
}

/// The simulated side of a switch with several positions, for the steps `switch` of a scenario. Each event is the one of
/// a position.
public protocol SimulatedPositions: SimulatedEvents {
  /// Makes the position unknown until the next one is set: the switch is between two positions.
  func lift()
  /// Sets the time for which each contact bounces when it closes or opens. No effect on a part without contacts.
  func bounce(for span: Duration)
}
