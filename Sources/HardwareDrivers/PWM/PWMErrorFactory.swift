import CycleCore

/// Errors of a PWM channel, or of a lamp of the kernel: the real channel and the simulated one report the same text. Throw them in a ``PWMChannel``
/// of your own.
public struct PWMErrorFactory {
  /// The name of the channel in messages: `GPIO18`.
  public var subject: String
  /// The hardware in messages: `the PWM of GPIO18`.
  private let hardware: String
  private let absence: String
  /// The remedy for hardware that is absent.
  private let addition: String
  /// The files of the hardware.
  private let folder: String

  /// - Parameters:
  ///   - port: the channel.
  ///   - lines: all lines whose channels the application uses, because one overlay can be for two of them.
  public init(_ port: PWMPort, among lines: [LineName] = []) {
    subject = port.subject
    hardware = "the PWM of \(subject)"
    absence = "\(subject) has no PWM"
    folder = "/sys/class/pwm"
    let overlay: String?
    switch port.choice {
    case .line(let line):
      overlay = PWMOverlay.all(for: lines.isEmpty ? [line] : lines).first { $0.lines.contains(line) }?.text
    case .chip(let device, _): overlay = PWMOverlay.text(forDevice: device)
    }
    addition =
      overlay.map { "Add `\($0)` to config.txt and restart the machine." }
      ?? "Enable the PWM in the device tree of the board; `ls -l /sys/class/pwm` lists the chips."
  }

  public init(_ port: KernelLightPort) {
    subject = port.name
    hardware = "the kernel's lamp \(subject)"
    absence = "the kernel has no lamp \(subject)"
    folder = "/sys/class/leds"
    addition = "`ls /sys/class/leds /sys/class/backlight` lists all lamps of the kernel."
  }

  private func error(
    _ kind: DriverError.Kind, _ operation: String, _ reason: String, _ cause: DriverError.Cause?, remedy: String
  ) -> DriverError {
    DriverError(
      kind, of: subject, cannot: "\(operation) \(hardware)", reason: reason, cause: cause, remedy: remedy)
  }

  /// Whether an error is about this channel, and not about another channel or a GPIO line.
  public func describes(_ error: DriverError) -> Bool {
    error.subject == subject && error.operation.hasSuffix(hardware)
  }

  /// The error of a channel that does not exist: kind `absent`.
  public func absent(_ reason: String? = nil, cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .absent, "open", reason ?? absence, cause,
      remedy: addition)
  }

  /// The error of a user who may not use the channel: kind `notPermitted`.
  public func notPermitted(_ operation: String = "open", cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .notPermitted, operation, "permission denied", cause,
      remedy:
        "Add this user to the group \"gpio\" (`sudo usermod -aG gpio USER`), log in again, and install a udev rule "
        + "that gives \(folder) to that group.")
  }

  /// The error of a channel that is used elsewhere: kind `busy`.
  public func busy(cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .busy, "open", "busy", cause,
      remedy: "Stop the program that uses it, or remove the overlay whose driver has it, such as a fan or a backlight.")
  }

  /// The error of a wave that the hardware can't make: kind `unsupported`.
  public func unsupported(_ wave: PWMWave, cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .unsupported, "set",
      "the chip can't make a wave of \(wave.high.wholeNanoseconds) ns in "
        + "\(wave.period.wholeNanoseconds) ns", cause, remedy: "Choose another frequency.")
  }

  /// The error of a wave whose period differs from that of the chip's other channels: kind `unsupported`.
  public func otherPeriod(_ wave: PWMWave, cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .unsupported, "set",
      "all channels of the chip have one period, and another channel has not \(wave.period.wholeNanoseconds) ns", cause,
      remedy: "Use one frequency for all channels of the chip.")
  }

  /// The error of a channel that has gone: kind `lost`.
  public func lost(cause: DriverError.Cause? = nil) -> DriverError {
    error(.lost, "set", "its chip is gone", cause, remedy: "Check its chip; it is opened again when it is back.")
  }

  /// The error of a call that fails for any other reason: kind `failed`.
  public func failed(_ operation: String, _ reason: String, cause: DriverError.Cause? = nil) -> DriverError {
    error(.failed, operation, reason, cause, remedy: "`dmesg` may show the cause.")
  }
}
