/// A file that a sound of a panel plays.
package struct SoundFileUse: Equatable, Sendable {
  package var path: String
  /// Whether it is read while it plays; nil if that depends on its length.
  package var isStreamed: Bool?

  package init(_ path: String, isStreamed: Bool? = nil) {
    self.path = path
    self.isStreamed = isStreamed
  }
}

/// The result of a check of a sound file that is worth a message.
package enum SoundFileFinding: Equatable, Sendable {
  /// The reason why it can't be played.
  case fault(String)
  /// Something that it needs is missing here. It may be there where the panel runs.
  case note(String)
  /// A property of its end, which is heard unless the sound is a loop.
  case noteOnEnd(String)
}
