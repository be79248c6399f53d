/// Is told what the rules of a panel do: for a journal, or to count what scenarios have tried. It has no effect on frames.
///
/// Called on the thread of the cycle.
protocol RulesRecorder: AnyObject, Sendable {
  /// The rules begin to apply something to a frame: an event, a reading or a deadline.
  func begin(in frame: PanelFrame)
  /// The rules have applied it: the frame after it.
  func end(in frame: PanelFrame)
  /// An event comes, of an input, a sound or hardware; of inputs that follow from others too.
  func tell(_ event: PanelEvent)
  /// The condition of a transition is asked in a frame.
  func ask(_ transition: PanelDefinition.Transition, in frame: PanelFrame)
  func take(_ transition: PanelDefinition.Transition)
  func enter(_ state: Int)
}
