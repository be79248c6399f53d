import HardwareDrivers

/// A simulated row of seven-segment digits.
public protocol SimulatedSegmentDisplay: SimulatedOutput {
  /// The segments that are visible, and the brightness; all segments are dark while the display is off.
  var frame: SegmentFrame { get }
  /// Calls `listener` at each change of what is visible, and possibly without a change.
  func onChange(_ listener: @escaping () -> Void)
}

extension SimulatedSegmentDisplay {
  /// The text that a person reads: see ``HardwareDrivers/SegmentFrame/text``.
  public var text: String { frame.text }
}
