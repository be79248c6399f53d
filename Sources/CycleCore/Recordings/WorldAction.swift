/// A step of the world in a recording: an action on the simulated environment of an application, in words from which a
/// resimulation can repeat it, such as `press bell`.
public struct WorldAction: Equatable, Sendable {
  /// The moment in nanoseconds since the recording's start; nil for a step before the application started.
  public var time: Int64?
  public var words: String

  /// The mark at the beginning of a step before the start.
  static let startMark = "start: "

  public init(time: Int64?, words: String) {
    self.time = time
    self.words = words
  }
}
