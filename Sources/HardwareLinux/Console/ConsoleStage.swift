import CycleCore
import HardwareSimulation

/// What a ``Console`` draws and what its keys operate: a running application with simulated inputs.
package protocol ConsoleStage: AnyObject {
  var bench: Bench { get }
  /// The buttons, switches and knobs. Read once, after ``start()``.
  var controls: [ConsoleControl] { get }

  func start() throws(DriverError)
  func stop()
  func requestStop()
  var isStopRequested: Bool { get }

  /// A message why this control can't be operated; nil if it can.
  func obstacle(to control: Int) -> String?
  /// Presses a button, or switches a switch on.
  func press(_ control: Int) throws(DriverError)
  /// Lets a button go, or switches a switch off.
  func release(_ control: Int) throws(DriverError)
  /// Turns a knob by this number of detents, to the right if positive.
  func turn(_ control: Int, by detents: Int) throws(DriverError)

  /// The texts to draw at this moment.
  var view: ConsoleView { get }
  /// When the view changes next by the passing of time alone; nil while nothing is waited for. At least a second apart.
  var nextTick: Moment? { get }
  /// The last events, at most `count`, the oldest first, a line each.
  func lastEvents(_ count: Int) -> [(time: String, text: String)]
}

extension ConsoleStage {
  package var nextTick: Moment? { nil }
}

package struct ConsoleControl {
  package enum Kind { case button, `switch`, knob }

  package var name: String
  package var kind: Kind
  /// What a switch is called that is off, and one that is on.
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
    /// More about it: drawn beside its look or below it, and cut where there is no room.
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
  /// The state of the application: the last to leave a window that is too short.
  package var state: [Row]

  package init(title: String, time: String, outputs: [Row], values: [Row] = [], state: [Row]) {
    self.title = title
    self.time = time
    self.outputs = outputs
    self.values = values
    self.state = state
  }
}
