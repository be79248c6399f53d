/// Stops the program at a programming error that would lead to an endless loop or to wrong results.
///
/// A `precondition` would stop it too, but prints its message only in unoptimized builds.
package func programmerError(_ sentence: String) -> Never {
  fatalError(sentence)
}
