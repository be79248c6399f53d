import CycleCore

/// Notifies the monitor of new lines in the recording. It keeps none of them.
public final class MonitorBell: RecordingSink {
  /// Called once, at the next line; nil if no notification is needed.
  @exclusivity(unchecked) var onLine: (() -> Void)?
  public private(set) var account = RecordingAccount()

  public init() {}

  public var form: RecordingForm { RecordingForm(bytesOfKeyframe: .max, causesOfKeyframe: .max, isChecked: false) }

  public func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    if case .cause = part {
      account.offered += 1
      account.written += 1
    }
    guard let ring = onLine else { return true }
    onLine = nil
    ring()
    return true
  }

  public func flush(_ occasion: RecordingFlush) {}
}
