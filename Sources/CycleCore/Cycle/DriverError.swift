/// What went wrong in the world: the operation, the cause that the system named, and what to do about it.
///
///     cannot request line GPIO17 of pinctrl-bcm2711 as input: busy (EBUSY). "gpio-keys" holds it.
///     Stop that program or choose another line; `gpioinfo` lists who holds which.
public struct DriverError: Error, Equatable, Sendable {
  /// What kind of fault it is: what a program may decide by. The words are for people.
  public enum Kind: Equatable, Sendable {
    /// The device is not there. It may still come.
    case absent
    /// Another program holds it.
    case busy
    /// This user may not open it.
    case notPermitted
    /// It was there and went away.
    case lost
    /// The configuration asks for what the hardware doesn't have, or names one thing twice: waiting mends nothing, the configuration
    /// must change.
    case misconfigured
    /// The device can't do what was asked.
    case unsupported
    /// Anything else.
    case failed
  }

  /// The function that failed and the system's code for the failure.
  public struct Cause: Equatable, Sendable {
    /// The C function, as in `gpiod_line_request_output`.
    public var function: String
    /// The system's name of the code, as in `EBUSY`.
    public var name: String
    /// The code itself, positive, as in `errno`.
    public var number: Int32

    public init(function: String, name: String, number: Int32) {
      self.function = function
      self.name = name
      self.number = number
    }
  }

  public var kind: Kind
  /// What was tried, after "cannot": `request line GPIO17 of pinctrl-bcm2711 as input`.
  public var operation: String
  /// Why it failed, in a few words: `busy`.
  public var reason: String
  /// The call behind it; nil where no call failed.
  public var cause: Cause?
  /// What to do about it: whole sentences.
  public var remedy: String
  /// Whether hardware that is lost is there all the same: its driver is started anew at once, however often that happens.
  package var isThere = false

  public init(_ kind: Kind, cannot operation: String, reason: String, cause: Cause? = nil, remedy: String) {
    self.kind = kind
    self.operation = operation
    self.reason = reason
    self.cause = cause
    self.remedy = remedy
  }
}

extension DriverError: CustomStringConvertible {
  public var description: String {
    let code = cause.map { " (\($0.name))" } ?? ""
    return "cannot \(operation): \(reason)\(code). \(remedy)"
  }
}
