import CycleCore

/// Errors of an I²C bus: the real bus and the simulated one report the same text. Throw them in an ``I2CBus`` of your
/// own, such as a simulated one or an adapter that the kernel doesn't know.
public struct I2CErrorFactory: OpeningErrorFactory {
  /// The bus's name in messages: `i2c-1`.
  public var bus: String
  /// The address of the device.
  public var address: I2CAddress

  public init(bus: String, address: I2CAddress) {
    self.bus = bus
    self.address = address
  }

  /// The subject of the errors: `i2c-1 0x27`.
  package var subject: String { "\(bus) \(address)" }

  /// `read from 0x27 on i2c-1`.
  private func operation(_ messages: [I2CMessage]) -> String {
    let reads = messages.contains { if case .read = $0 { true } else { false } }
    return "\(reads ? "read from" : "write to") \(address) on \(bus)"
  }

  package var opened: String { "\(bus) for \(address)" }
  package var group: String { "i2c" }

  // MARK: - Opening

  package func absent(cause: DriverError.Cause?) -> DriverError { absent("there is no such bus", cause: cause) }

  /// The error of a bus that does not exist: kind `absent`.
  public func absent(_ reason: String = "there is no such bus", cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .absent, of: subject, cannot: "open \(bus) for \(address)", reason: reason, cause: cause,
      remedy: "Switch the bus on (on a Raspberry Pi `dtparam=i2c_arm=on` in config.txt) and load the module i2c-dev; "
        + "`i2cdetect -l` lists the buses.")
  }

  /// The error of a user who may not open the bus: kind `notPermitted`.
  public func notPermitted(_ reason: String = "permission denied", cause: DriverError.Cause? = nil) -> DriverError {
    refused(reason, cause: cause)
  }

  /// The error of a device that a driver of the kernel uses: kind `busy`.
  ///
  /// - Parameters:
  ///   - holder: the kernel's driver that uses the device; nil if unknown.
  ///   - unbind: the action that unbinds the device from that driver, as a phrase that follows "or".
  ///   - cause: the error of the system; nil without one.
  public func busy(_ holder: String?, unbind: String, cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .busy, of: subject, cannot: "open \(bus) for \(address)", reason: "busy", cause: cause,
      remedy: "\(holder.map { "The kernel's driver \"\($0)\"" } ?? "A driver of the kernel") has the device. "
        + "Remove its overlay from config.txt, or \(unbind).")
  }

  /// The error of a bus that can't be opened for any other reason.
  public func cannotOpen(_ kind: DriverError.Kind, _ reason: String, cause: DriverError.Cause) -> DriverError {
    DriverError(
      kind, of: subject, cannot: "open \(bus) for \(address)", reason: reason, cause: cause,
      remedy: "`i2cdetect -l` lists the buses; `dmesg` may show the cause.")
  }

  // MARK: - Transferring

  /// Throws kind `misconfigured` if there are too many messages, or a message has too many or too few bytes.
  public func check(_ messages: [I2CMessage]) throws(DriverError) {
    guard (1...I2CMessage.limit).contains(messages.count) else {
      throw DriverError(
        .misconfigured, of: subject, cannot: operation(messages),
        reason: "\(messages.count) messages are not 1 to \(I2CMessage.limit)", remedy: "Make several transactions.")
    }
    for message in messages {
      let least = if case .read = message { 1 } else { 0 }
      guard !(least...I2CMessage.byteLimit).contains(message.count) else { continue }
      throw DriverError(
        .misconfigured, of: subject, cannot: operation(messages),
        reason: "a message of \(message.count) bytes is not one of \(least) to \(I2CMessage.byteLimit)",
        remedy: "Make several transactions.")
    }
  }

  /// The error if no device acknowledges at the address: kind `failed`.
  public func noAnswer(_ messages: [I2CMessage], cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .failed, of: subject, cannot: operation(messages), reason: "no device answers at \(address)", cause: cause,
      remedy: "Check its power, its wires and its address; `i2cdetect -y \(number)` lists the devices that answer.")
  }

  /// The error of a device that stretches the clock for too long: kind `failed`.
  public func timedOut(_ messages: [I2CMessage], cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .failed, of: subject, cannot: operation(messages), reason: "the clock was held for too long", cause: cause,
      remedy:
        "The device stretches the clock for longer than the adapter waits, or hangs: switch its power off and on. "
        + "On a Raspberry Pi a bus in software (`dtoverlay=i2c-gpio`) waits for it.")
  }

  /// The error if another master uses the bus: kind `failed`.
  public func arbitrationLost(_ messages: [I2CMessage], cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .failed, of: subject, cannot: operation(messages), reason: "another master has the bus", cause: cause,
      remedy: "Try again; if it lasts, check for a short circuit between the lines of the bus.")
  }

  /// The error of a bus whose line stays low: kind `failed`.
  public func held(_ messages: [I2CMessage], cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .failed, of: subject, cannot: operation(messages), reason: "a line of the bus stays low", cause: cause,
      remedy: "A device hangs in the middle of a byte: switch its power off and on. The lines need pull-ups.")
  }

  /// The error of a bus that has gone: kind `lost`.
  public func lost(_ messages: [I2CMessage], cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .lost, of: subject, cannot: operation(messages), reason: "the bus is gone", cause: cause,
      remedy: "Check its adapter; it is opened again when it is back.")
  }

  /// The error of a transfer that the adapter can't make: kind `unsupported`.
  public func unsupported(
    _ messages: [I2CMessage], _ reason: String = "the adapter can't do such a transfer", cause: DriverError.Cause? = nil
  ) -> DriverError {
    DriverError(
      .unsupported, of: subject, cannot: operation(messages), reason: reason, cause: cause,
      remedy: "Shorter ones may work; `i2cdetect -F \(number)` lists what it supports.")
  }

  /// The error of a transfer that fails for any other reason: kind `failed`.
  public func failed(_ messages: [I2CMessage], _ reason: String, cause: DriverError.Cause) -> DriverError {
    DriverError(
      .failed, of: subject, cannot: operation(messages), reason: reason, cause: cause,
      remedy: "`dmesg` may show the cause; `i2cdetect -y \(number)` lists the devices that answer.")
  }

  /// The bus's number, as an argument for the tools; `BUS` if the bus's name has none.
  private var number: String {
    let digits = bus.hasPrefix("i2c-") ? bus.dropFirst(4).prefix { $0.isNumber } : ""
    return digits.isEmpty ? "BUS" : String(digits)
  }
}
