import CycleCore
import HardwareSimulation

/// What a ``Console`` draws and what its keys act on: an application at work, with simulated inputs.
package protocol ConsoleStage: AnyObject {
  var bench: Bench { get }
  /// What can be pressed, switched and turned. Asked once, when the application runs.
  var controls: [ConsoleControl] { get }

  func start() throws(DriverError)
  func stop()
  func requestStop()
  var isStopRequested: Bool { get }

  /// Why this control can't be moved: the text to show, nil if it can be.
  func obstacle(to control: Int) -> String?
  /// Presses a button, or switches a switch on.
  func press(_ control: Int) throws(DriverError)
  /// Lets a button go, or switches a switch off.
  func release(_ control: Int) throws(DriverError)
  /// Turns a knob by so many detents, to the right if positive.
  func turn(_ control: Int, by detents: Int) throws(DriverError)

  /// What is shown at this moment.
  var view: ConsoleView { get }
  /// What happened last, at most so much, the oldest first, a line each.
  func lastEvents(_ count: Int) -> [(time: String, text: String)]
}

package struct ConsoleControl {
  package enum Kind { case button, `switch`, knob }

  package var name: String
  package var kind: Kind

  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// What a console shows besides its controls and what happened.
package struct ConsoleView {
  /// A name and how it looks.
  package typealias Row = (name: String, look: String)

  package var title: String
  /// Time since the start, in words.
  package var time: String
  package var outputs: [Row]
  /// The state of the application.
  package var state: [Row]

  package init(title: String, time: String, outputs: [Row], state: [Row]) {
    self.title = title
    self.time = time
    self.outputs = outputs
    self.state = state
  }
}
