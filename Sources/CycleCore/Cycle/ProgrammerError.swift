/// Stops the program at a programming error that would otherwise lead to an endless loop or to wrong results.
///
/// A `precondition` would stop it too, but prints its sentence in unoptimized builds only.
package func programmerError(_ sentence: String) -> Never {
  fatalError(sentence)
}
