/// Stops the program at a fault of its programmer that would otherwise go on for ever or go wrong in silence.
///
/// A `precondition` would do, but says why in unoptimized builds only.
func fault(_ sentence: String) -> Never {
  fatalError(sentence)
}
