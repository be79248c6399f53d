import CycleCore

/// Errors of an SPI bus: the real bus and the simulated one report the same text. Throw them in an ``SPIBus`` of your
/// own.
public struct SPIErrorFactory: OpeningErrorFactory {
  /// The number of the bus.
  public var bus: Int
  /// The number of the chip select.
  public var chipSelect: Int

  public init(bus: Int, chipSelect: Int) {
    self.bus = bus
    self.chipSelect = chipSelect
  }

  /// The subject of the errors, and the name of the device node: `spidev0.1`.
  public var subject: String { "spidev\(bus).\(chipSelect)" }

  package var opened: String { subject }
  package var group: String { "spi" }

  // MARK: - Opening

  /// The error of a device node that does not exist: kind `absent`.
  public func absent(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .absent, of: subject, cannot: "open \(subject)", reason: "there is no such device", cause: cause,
      remedy:
        "Switch the bus on\(overlay.map { " (on a Raspberry Pi `\($0)` in config.txt)" } ?? ""); if a driver of the kernel has this "
        + "chip select, remove its overlay. `ls /dev/spidev*` lists the devices.")
  }

  /// The line of `config.txt` that switches the bus on; nil if there is none.
  private var overlay: String? {
    switch (bus, chipSelect) {
    case (0, 0...1): "dtparam=spi=on"
    case (1...6, 0...1), (1...2, 2): "dtoverlay=spi\(bus)-\(chipSelect + 1)cs"
    default: nil
    }
  }

  /// The error of a user who may not open the device: kind `notPermitted`.
  public func notPermitted(_ reason: String = "permission denied", cause: DriverError.Cause? = nil) -> DriverError {
    refused(reason, cause: cause)
  }

  /// The error of a device that another program uses: kind `busy`.
  public func busy(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .busy, of: subject, cannot: "open \(subject)", reason: "another program uses it", cause: cause,
      remedy: "Stop that program; `sudo fuser -v /dev/\(subject)` names it.")
  }

  /// The error of settings that the controller doesn't support: kind `unsupported`.
  public func unsupported(_ settings: SPISettings, cause: DriverError.Cause? = nil) -> DriverError {
    var words = ["mode \(settings.mode)", "\(settings.hertz) Hz"]
    if settings.isLeastSignificantFirst { words.append("least significant bit first") }
    if settings.isSelectActiveHigh { words.append("an active high chip select") }
    if settings.isThreeWire { words.append("three wires") }
    return DriverError(
      .unsupported, of: subject, cannot: "open \(subject)",
      reason: "the controller doesn't support \(words.joined(separator: ", "))", cause: cause,
      remedy: "Use another bus; the kernel's spi-gpio supports every mode.")
  }

  /// The error of a device that can't be opened for any other reason.
  public func cannotOpen(_ kind: DriverError.Kind, _ reason: String, cause: DriverError.Cause) -> DriverError {
    other(kind, reason, cause: cause)
  }

  // MARK: - Transferring

  /// Throws kind `misconfigured` if the messages can't be one transfer.
  ///
  /// - Parameters:
  ///   - messages: the messages of the transfer.
  ///   - byteLimit: the maximum number of bytes of all messages together.
  ///   - settings: the settings of the device.
  public func check(
    _ messages: [SPIMessage], byteLimit: Int, _ settings: SPISettings
  ) throws(DriverError) {
    func wrong(_ reason: String, _ remedy: String) -> DriverError {
      DriverError(.misconfigured, of: subject, cannot: Self.transferring(subject), reason: reason, remedy: remedy)
    }
    guard (1...SPIMessage.limit).contains(messages.count) else {
      throw wrong("\(messages.count) messages are not 1 to \(SPIMessage.limit)", "Make several transfers.")
    }
    let count = messages.reduce(0) { $0 + $1.count }
    guard count <= byteLimit else {
      throw wrong(
        "\(count) bytes are more than the \(byteLimit) of the kernel's buffer",
        "Make several transfers, or set spidev.bufsiz=\(Self.buffer(for: count)) on the kernel's command line.")
    }
    for (index, message) in messages.enumerated() {
      switch message {
      case .exchange(let bytes), .write(let bytes):
        if bytes.isEmpty { throw wrong("a message has no bytes", "Leave it out.") }
        if settings.isThreeWire, case .exchange = message {
          throw wrong("one line can't send and receive at the same time", "Write first, and read then.")
        }
      case .read(let count):
        if count < 1 { throw wrong("a message reads \(count) bytes", "Read one at least.") }
      case .pause(let pause):
        guard pause >= .zero, pause <= SPIMessage.longestPause else {
          throw wrong("a pause of \(pause) is not one of 0 to 65.535 ms", "Make several transfers.")
        }
        if index == 0 || messages[index - 1].count == 0 {
          throw wrong("a pause follows no bytes", "Put it after a message with bytes.")
        }
      case .reselect:
        // At the end the kernel would take it for the opposite: the device would stay selected.
        if messages[..<index].allSatisfy({ $0.count == 0 }) || index == messages.count - 1 {
          throw wrong("a new selection is not between two messages", "Leave it out.")
        }
        if messages[index + 1].count == 0 {
          throw wrong("a pause or another selection follows a new selection", "Put the pause before it.")
        }
      }
    }
  }

  /// The size of a buffer: a power of two, because the kernel rounds the length of each message up.
  private static func buffer(for count: Int) -> Int {
    var size = 8_192
    while size < count { size *= 2 }
    return size
  }

  private static func transferring(_ subject: String) -> String { "transfer bytes on \(subject)" }

  /// The error of a bus that has gone: kind `lost`.
  public func lost(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .lost, of: subject, cannot: Self.transferring(subject), reason: "the bus is gone", cause: cause,
      remedy: "Check its adapter; it is opened again when it is back.")
  }

  /// The error of messages that fill the kernel's buffer, because it rounds their lengths up: kind `misconfigured`.
  public func tooLong(cause: DriverError.Cause) -> DriverError {
    DriverError(
      .misconfigured, of: subject, cannot: Self.transferring(subject),
      reason: "the messages are longer than the kernel's buffer", cause: cause,
      remedy: "Make several transfers, or set spidev.bufsiz=32768 on the kernel's command line.")
  }

  /// The error of a transfer that the controller can't make: kind `unsupported`.
  public func unsupportedTransfer(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .unsupported, of: subject, cannot: Self.transferring(subject),
      reason: "the controller can't make such a transfer", cause: cause,
      remedy: "Use another bus; the kernel's spi-gpio supports every transfer.")
  }

  /// The error of a transfer that fails for any other reason: kind `failed`.
  public func failed(_ reason: String, cause: DriverError.Cause) -> DriverError {
    DriverError(
      .failed, of: subject, cannot: Self.transferring(subject), reason: reason, cause: cause,
      remedy: "`dmesg` may show the cause.")
  }
}
