/// The context of an expression that determines what it may use.
package struct ExpressionContext {
  /// The state that contains the expression; nil at the top level, and outside the statechart.
  var state: Int?
  /// Whether it may use the appearance of outputs, which is known only after an event has been applied.
  package var asksOutputs = false
  /// Whether it is evaluated at the entry into a state, for a show or a sound. Then no time has elapsed.
  package var isShown = false
  /// Whether it may use only contacts and sensors.
  package var asksOnlyInputs = false

  package init(state: Int? = nil, asksOutputs: Bool = false, isShown: Bool = false, asksOnlyInputs: Bool = false) {
    (self.state, self.asksOutputs, self.isShown, self.asksOnlyInputs) = (state, asksOutputs, isShown, asksOnlyInputs)
  }
}
