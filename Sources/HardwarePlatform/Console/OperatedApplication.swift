import CycleCore
import HardwareSimulation

/// A running application with simulated inputs, which a ``Console`` draws and operates by keys.
package protocol OperatedApplication: AnyObject {
  var bench: Bench { get }
  /// The buttons, switches and knobs. Read once, after ``start()``.
  var controls: [ConsoleControl] { get }

  func start() throws(DriverError)
  func stop()
  func requestStop()
  var isStopRequested: Bool { get }

  /// The reason why this control can't be operated, as a message; nil if it can.
  func obstacle(to control: Int) -> String?
  /// Presses a button, or switches a switch on.
  func press(_ control: Int) throws(DriverError)
  /// Releases a button, or switches a switch off.
  func release(_ control: Int) throws(DriverError)
  /// Turns a knob by this number of detents, to the right if positive.
  func turn(_ control: Int, by detents: Int) throws(DriverError)

  /// The texts to draw at this moment.
  var view: ConsoleView { get }
  /// The next moment at which the view changes without an event; nil for never. At least a second apart.
  var nextTick: Moment? { get }
  /// The last events, at most `count`, the oldest first, one line each.
  func lastEvents(_ count: Int) -> [(time: String, text: String)]
}

extension OperatedApplication {
  package var nextTick: Moment? { nil }
}

package struct ConsoleControl {
  package enum Kind { case button, `switch`, knob }

  package var name: String
  package var kind: Kind
  /// The names of a switch's positions.
  package var words: (off: String, on: String)

  package init(_ name: String, _ kind: Kind, words: (off: String, on: String) = ("off", "on")) {
    self.name = name
    self.kind = kind
    self.words = words
  }
}

/// The texts that a console draws besides its controls and the last events.
package struct ConsoleView {
  package struct Row {
    package var name: String
    /// How it looks.
    package var look: String
    /// A note: drawn beside the look or below it, and cut off if it doesn't fit.
    package var note: String

    package init(_ name: String, _ look: String, note: String = "") {
      self.name = name
      self.look = look
      self.note = note
    }
  }

  package var title: String
  /// Time since the start, in words.
  package var time: String
  package var outputs: [Row]
  package var values: [Row]
  /// The state of the application: the last part to disappear from a window that is too short.
  package var state: [Row]

  package init(title: String, time: String, outputs: [Row], values: [Row] = [], state: [Row]) {
    self.title = title
    self.time = time
    self.outputs = outputs
    self.values = values
    self.state = state
  }
}
