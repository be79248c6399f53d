import CycleCore

/// Tells the monitor that the film has new lines; keeps none of them.
public final class MonitorBell: FilmSink {
  /// Called at the next line, once; nil while nobody waits for one.
  @exclusivity(unchecked) var onLine: (() -> Void)?
  public private(set) var account = FilmAccount()

  public init() {}

  public var form: FilmForm { FilmForm(bytesOfKeyframe: .max, causesOfKeyframe: .max, isChecked: false) }

  public func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool {
    if case .cause = part {
      account.offered += 1
      account.written += 1
    }
    guard let ring = onLine else { return true }
    onLine = nil
    ring()
    return true
  }

  public func flush(_ occasion: FilmFlush) {}
}
