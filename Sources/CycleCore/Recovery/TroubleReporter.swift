/// The trouble of a driver that recovers by itself: what the application knows of it, so that each change is reported
/// once, and the watch for the hardware's return.
///
///     reporter.note(state.error.map(Trouble.lost), in: context) { watcher throws(DriverError) in
///       try bus.watchForReturn(watcher)
///     }
///
/// Use it on the cycle's thread.
public struct TroubleReporter {
  /// The trouble that was reported last and is not restored; nil for none.
  public private(set) var reported: Trouble?
  private let reportsReasons: Bool
  private var watch: (any ReturnWatch)?

  /// - Parameter reportsReasons: whether a loss is reported again when only its ``CycleBase/DriverError/reason``
  ///   changes. If not, only a new ``CycleBase/DriverError/kind`` is: repeated tries to open the same hardware may fail
  ///   with other texts.
  public init(reportsReasons: Bool = false) { self.reportsReasons = reportsReasons }

  /// Reports the trouble if the application doesn't know it: ``Trouble/restored`` if there is none any more.
  public mutating func note(_ trouble: Trouble?, _ report: (Trouble) -> Void) {
    guard trouble != reported else { return }
    switch (reported, trouble) {
    case (.lost(let old), .lost(let new)) where old.kind == new.kind:
      if !reportsReasons || old.reason == new.reason { return }
    // The hardware is back, so its loss is restored first, although it has another fault now.
    case (.lost, .failed): report(.restored)
    default: break
    }
    reported = trouble
    report(trouble ?? .restored)
  }

  /// Reports like ``note(_:_:)``, and watches for the return of hardware while it is lost.
  ///
  /// - Parameters:
  ///   - trouble: the current trouble; nil for none.
  ///   - context: the driver's context.
  ///   - watch: begins the watch; it returns nil if the return is not announced. It is called once for each loss. An
  ///     error that it throws is reported as a failure.
  public mutating func note<Event: Sendable>(
    _ trouble: Trouble?, in context: DriverContext<Event>,
    watch: (Watcher) throws(DriverError) -> (any ReturnWatch)?
  ) {
    let wasLost = isLost
    note(trouble) { context.report($0) }
    guard isLost else { return endWatch() }
    guard !wasLost else { return }
    do throws(DriverError) {
      self.watch = try watch(context.watcher)
    } catch {
      context.report(.failed(error))
    }
  }

  private var isLost: Bool { if case .lost = reported { true } else { false } }

  /// Clears the watch's pending change. Returns whether the hardware was announced by it.
  @discardableResult
  public func acknowledge() -> Bool { watch?.acknowledge() ?? false }

  /// Ends the watch and forgets the reported trouble, without a report: the driver stops.
  public mutating func end() {
    endWatch()
    reported = nil
  }

  private mutating func endWatch() {
    watch?.release()
    watch = nil
  }
}
