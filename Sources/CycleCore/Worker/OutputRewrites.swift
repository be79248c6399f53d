/// The moments at which everything is written again to an output that can't be asked whether its power was cut.
///
/// An output whose model rests is written at a multiple of an interval, together with all others. An output whose model
/// changes is awake anyway: everything is written with the first change after a minute.
package struct OutputRewrites {
  /// The shortest time between two complete writes of an output whose model changes.
  private static let pause = Duration.seconds(60)

  private let interval: Duration?
  /// The moment of the last complete write; nil for none.
  private var last: Moment?
  /// The moment of the next complete write, if the model rests.
  package private(set) var due = Moment.distantFuture

  /// - Parameter interval: the time between two complete writes while the model rests; nil for none, also while it
  ///   changes.
  package init(each interval: Duration?) {
    self.interval = interval
  }

  /// The moment of the next complete write; nil for none.
  package var check: Moment? { interval == nil ? nil : due }

  /// Whether everything is written again at this moment.
  ///
  /// - Parameters:
  ///   - moment: the present.
  ///   - isChanging: whether the hardware must be written in any case.
  package func isDue(at moment: Moment, isChanging: Bool) -> Bool {
    if moment >= due { return true }
    guard isChanging, let interval, let last else { return false }
    return moment - last >= min(interval, Self.pause)
  }

  /// Notes that everything was written.
  package mutating func note(at moment: Moment) {
    last = moment
    due = interval.map { moment.next(multipleOf: $0) } ?? .distantFuture
  }
}
