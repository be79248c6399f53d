import CycleCore

/// Notifies the monitor of new lines in the film. It keeps none of them.
public final class MonitorBell: FilmSink {
  /// Called once, at the next line; nil if no notification is needed.
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
