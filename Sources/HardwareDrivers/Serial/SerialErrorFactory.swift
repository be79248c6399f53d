import CycleCore

/// Errors of a serial line: the real line and the simulated one report the same text. Throw them in a ``SerialLine`` of
/// your own.
public struct SerialErrorFactory: OpeningErrorFactory {
  /// The path of the device node.
  public var path: String

  public init(_ path: String) {
    self.path = path
  }

  private func error(
    _ kind: DriverError.Kind, cannot operation: String, _ reason: String, _ cause: DriverError.Cause?, remedy: String
  ) -> DriverError {
    DriverError(kind, of: path, cannot: "\(operation) \(path)", reason: reason, cause: cause, remedy: remedy)
  }

  package var subject: String { path }
  package var opened: String { path }
  package var group: String { "dialout" }

  // MARK: - Opening

  /// The error of a device node that does not exist, or has no hardware: kind `absent`.
  public func absent(cause: DriverError.Cause? = nil) -> DriverError {
    // The header's line is off until it is enabled; an adapter on USB is not plugged in.
    let isOfHeader =
      ["/dev/serial", "/dev/ttyAMA", "/dev/ttyS"].contains(where: path.hasPrefix) && !path.contains(text: "by-")
    return error(
      .absent, cannot: "open", "there is no such device", cause,
      remedy: isOfHeader
        ? "On a Raspberry Pi, write enable_uart=1 into config.txt and restart it."
        : "Plug the device in; `ls /dev/serial/by-id` lists the adapters. It is opened when it is there.")
  }

  /// The error of a user who may not open the device: kind `notPermitted`.
  public func notPermitted(_ reason: String = "permission denied", cause: DriverError.Cause? = nil) -> DriverError {
    refused(reason, cause: cause)
  }

  /// The error of a line that another program uses: kind `busy`.
  public func busy(cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .busy, cannot: "open", "another program uses it", cause,
      remedy: "Stop that program; `sudo fuser -v \(path)` names it. On a Raspberry Pi, a login console can be on "
        + "/dev/serial0: switch it off with raspi-config.")
  }

  /// The error of a file that is not a serial line: kind `unsupported`.
  public func notSerial(cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .unsupported, cannot: "open", "it is not a serial line", cause,
      remedy: "Name a device such as /dev/serial0 or /dev/ttyUSB0.")
  }

  /// The error of settings that the hardware can't have: kind `unsupported`.
  public func unsupported(_ settings: SerialSettings, cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .unsupported, cannot: "open", "it can't have \(settings.text)", cause,
      remedy: "Choose a speed that both the device and this adapter have, such as 9600.")
  }

  /// The error of a line that is open with other settings: kind `misconfigured`.
  public func otherSettings(_ settings: SerialSettings, open: SerialSettings) -> DriverError {
    error(
      .misconfigured, cannot: "open", "it is open with \(open.text), not with \(settings.text)", nil,
      remedy: "Give all devices on this line the same settings.")
  }

  /// The error of a line that this program has opened by another name: kind `misconfigured`.
  public func sameLine(as other: String) -> DriverError {
    error(
      .misconfigured, cannot: "open", "it is the same line as \(other), which this program uses", nil,
      remedy: "Give all devices on this line the same path.")
  }

  /// The error of a line that can't be opened for any other reason.
  public func cannotOpen(_ kind: DriverError.Kind, _ reason: String, cause: DriverError.Cause) -> DriverError {
    other(kind, reason, cause: cause)
  }

  // MARK: - Reading and writing

  /// The error of a line that has gone: kind `lost`.
  public func lost(cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .lost, cannot: "use", "the device is gone", cause,
      remedy: "Check its plug and its supply; it is opened again when it is back.")
  }

  /// The error of a read or write that failed for any other reason: kind `failed`.
  public func failed(_ reason: String, cause: DriverError.Cause? = nil) -> DriverError {
    error(.failed, cannot: "use", reason, cause, remedy: "`dmesg` may show the cause.")
  }

  /// The error of a device whose frame has not arrived: kind `lost` if nothing has arrived, and `failed` otherwise.
  ///
  /// - Parameters:
  ///   - device: the name of the device; nil for that of the line.
  ///   - span: the time in which it has not arrived.
  ///   - byteCount: the number of bytes that have arrived.
  ///   - wrongCount: the number of frames with a wrong checksum among them.
  public func noFrame(of device: String? = nil, within span: Duration, byteCount: Int, wrongCount: Int) -> DriverError {
    func failure(_ kind: DriverError.Kind, _ reason: String, remedy: String) -> DriverError {
      DriverError(kind, of: path, cannot: "read \(device ?? path)", reason: reason, remedy: remedy)
    }
    let time = "\(Double(span.wholeNanoseconds) / 1e9)".replacingSuffix(".0", with: "")
    if byteCount == 0 {
      return failure(
        .lost, "nothing has arrived within \(time) s",
        remedy: "Check the device's supply, and its TX and RX. It is retried.")
    }
    let reason =
      wrongCount > 0
      ? "the checksum of the answer is wrong" : "\(byteCount) bytes have arrived, and no whole answer is among them"
    return failure(.failed, reason, remedy: "Check the baud, and the wires. It is retried.")
  }

  /// The error of a device that sends nothing that a program waits for: kind `lost`.
  ///
  /// - Parameters:
  ///   - wanted: the awaited text: `$GPGGA,*,{latitude}`.
  ///   - span: the time for which it has not arrived.
  ///   - heard: the other bytes and lines that have arrived.
  public func silent(_ wanted: String, for span: Duration, _ heard: SerialTextCounts) -> DriverError {
    let time = "\(Double(span.wholeNanoseconds) / 1e9)".replacingSuffix(".0", with: "")
    let (reason, remedy): (String, String) =
      if heard.byteCount == 0 {
        ("nothing has arrived for \(time) s", "Check the device's supply, and that its TX is wired to RX.")
      } else if heard.lineCount == 0 {
        (
          "no line of text has ended for \(time) s; \(heard.byteCount) bytes have arrived",
          "Check the baud of the device."
        )
      } else if heard.wrongCount > 0 {
        (
          "no correct line has matched \(wanted) for \(time) s; \(heard.wrongCount) had a wrong checksum",
          "Check the wires and the baud of the device."
        )
      } else {
        (
          "no line has matched \(wanted) for \(time) s; the last one was \(heard.excerpt)",
          "Correct the pattern, or the baud of the device."
        )
      }
    return error(.lost, cannot: "read", reason, nil, remedy: remedy)
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, with other: String) -> String {
    hasSuffix(suffix) ? dropLast(suffix.count) + other : self
  }
}
