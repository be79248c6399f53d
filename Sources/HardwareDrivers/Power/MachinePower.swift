import CycleCore

/// A change of the machine's power that an application asks for.
public enum PowerChange: String, CaseIterable, Hashable, Sendable, Codable {
  /// The machine turns off.
  case off
  /// The machine turns off and starts again.
  case restart
}

/// The power of the machine: ``MachinePowerPort``'s hardware.
///
/// A program that operates hardware has no right to turn the machine off. It asks a service that has this right, and that
/// an administrator has enabled.
public protocol MachinePower: AnyObject {
  /// Asks the service for a change. A new request replaces one that was not taken. Takes less than 1 ms.
  ///
  /// - Throws: kind `absent` if this program is not run as a service; another kind if the request can't be left.
  func ask(for change: PowerChange) throws(DriverError)
  /// Takes back a request that the service has not taken.
  ///
  /// - Returns: whether there was one.
  func withdraw() -> Bool
}

/// The power of the machine: `PowerRequestFolder`, or `SimulatedMachinePower`.
public struct MachinePowerPort: Port {
  public typealias Hardware = any MachinePower
  public static let name = "power"
  public static let help = "Turn off or restart this machine, or a simulated one."

  /// The folder in which a request is left; nil for the runtime folder that systemd has given to this service.
  public var folder: String?

  public init(folder: String? = nil) { self.folder = folder }
}

/// Errors of the machine's power: the real one and the simulated one report the same text.
public struct MachinePowerErrorFactory {
  /// The name of the power in messages.
  public static let subject = "power"

  public init() {}

  /// The error of a program that is not run as a service: kind `absent`.
  public func noService(_ change: PowerChange) -> DriverError {
    DriverError(
      .absent, of: Self.subject, cannot: Self.text(change), reason: "this program is not run as a service",
      remedy: "Install the package, and run the panel as `panel@NAME`.")
  }

  /// The error of a request that was not taken in time: kind `failed`.
  public func notTaken(_ change: PowerChange) -> DriverError {
    DriverError(
      .failed, of: Self.subject, cannot: Self.text(change), reason: "no service has taken the request within 5 s",
      remedy: "Enable it with `sudo systemctl enable --now panel-power@NAME.path`, where NAME is the name of the panel."
    )
  }

  /// The error of a request that could not be left.
  public func failed(
    _ change: PowerChange, _ kind: DriverError.Kind, _ reason: String, cause: DriverError.Cause
  ) -> DriverError {
    DriverError(
      kind, of: Self.subject, cannot: Self.text(change), reason: reason, cause: cause,
      remedy: "Check the folder; the next request is tried again.")
  }

  private static func text(_ change: PowerChange) -> String {
    switch change {
    case .off: "turn the machine off"
    case .restart: "restart the machine"
    }
  }
}
