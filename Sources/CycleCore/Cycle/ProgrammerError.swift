/// Stops the program at a mistake in its code that would otherwise go on for ever or go wrong in silence.
///
/// A `precondition` would stop it too, but prints its sentence in unoptimized builds only.
package func programmerError(_ sentence: String) -> Never {
  fatalError(sentence)
}
