/// The result of a check of a sound file that is worth a message.
package enum SoundFileFinding: Equatable, Sendable {
  /// The reason why it can't be played.
  case fault(String)
  /// A property of its end, which is heard unless the sound is a loop.
  case noteOnEnd(String)
}
