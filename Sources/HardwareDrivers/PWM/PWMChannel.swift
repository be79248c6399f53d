import CycleCore

/// The interface between drivers and a backend for pulse width modulation (PWM): one channel, which repeats a wave
/// without the program.
///
/// `LinuxPWM` is a channel of the kernel, `SimulatedPWM` is one in memory.
public protocol PWMChannel: AnyObject {
  /// Whether the machine has the channel now. A channel without hardware can be added while the program runs.
  var isPresent: Bool { get }

  /// Takes the channel, and shows a wave. The line is not driven with another one before. May take 1 s, because the
  /// rights to a channel of the kernel are given after it has been taken.
  ///
  /// - Throws: ``CycleBase/DriverError`` that names the channel: no such channel (kind `absent`), another program or a
  ///   driver of the kernel has it (`busy`), no permission (`notPermitted`), a wave that the hardware can't make
  ///   (`unsupported`).
  func open(showing wave: PWMWave) throws(DriverError) -> any PWMConnection

  /// Wakes the watcher when a channel that was absent or lost may be back; returns nil if nothing announces that.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?
}

/// A PWM channel that this program has taken. Used on the cycle's thread.
public protocol PWMConnection: AnyObject {
  /// Shows a wave from the end of the current period on, or immediately: this depends on the hardware. May take 100 µs.
  ///
  /// - Throws: ``CycleBase/DriverError`` that names the channel: it is gone (kind `lost`), the hardware can't make the
  ///   wave (`unsupported`), or anything else (`failed`). After an error it is unknown which wave is shown.
  func show(_ wave: PWMWave) throws(DriverError)

  /// Wakes the watcher when a chip has gone, with ``CycleCore/Wake/ready(descriptor:)``: a resting wave needs no write,
  /// so nothing else would show the loss. Does nothing if nothing announces it. Ends with ``close()``.
  func watch(_ watcher: Watcher) throws(DriverError)

  /// Checks that the channel is still there, after a wake of the watcher.
  ///
  /// - Throws: kind `lost` if it is gone.
  func check() throws(DriverError)

  /// Drives the line low and gives the channel back. Does nothing if it is closed already, or gone.
  func close()

  /// Gives the channel back and leaves its wave on the line, for an output whose safe state is not low. Another program
  /// can take it over. Does nothing if the channel is closed already, or gone.
  func leave()
}
