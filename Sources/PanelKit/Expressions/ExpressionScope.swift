/// Where an expression is written, as far as it depends on that what it may ask.
struct ExpressionScope {
  /// The state that has the expression; nil at the top level, and outside of the statechart.
  var state: Int?
  /// Whether it may ask how outputs look, which are known only after an event has been applied.
  var asksOutputs = false
  /// Whether it says what a state shows or plays from its entering on, when no time has elapsed.
  var isShown = false
  /// Whether it may ask contacts and sensors only.
  var asksOnlyInputs = false
}
