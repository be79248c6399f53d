/// What went wrong in the world: the operation, the cause that the system named, and what to do about it.
///
///     cannot request line GPIO17 of pinctrl-bcm2711 as input: busy (EBUSY). "gpio-keys" holds it.
///     Stop that program or choose another line; `gpioinfo` lists who holds which.
///
/// It takes one word wherever it is passed: what it says lies in an object, which is made when something has failed.
public struct DriverError: Error, Equatable, Sendable {
  /// What kind of fault it is: what a program may decide by. The words are for people.
  ///
  /// The list is open: a driver of your own may have kinds that no other has, and a program has a default for those that it doesn't know.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public var rawValue: String
    public var description: String { rawValue }

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The device is not there. It may still come.
    public static let absent = Kind(rawValue: "absent")
    /// Another program holds it.
    public static let busy = Kind(rawValue: "busy")
    /// This user may not open it.
    public static let notPermitted = Kind(rawValue: "notPermitted")
    /// It was there and went away.
    public static let lost = Kind(rawValue: "lost")
    /// The configuration asks for what the hardware doesn't have, or names one thing twice: waiting mends nothing, the configuration
    /// must change.
    public static let misconfigured = Kind(rawValue: "misconfigured")
    /// The device can't do what was asked.
    public static let unsupported = Kind(rawValue: "unsupported")
    /// Anything else.
    public static let failed = Kind(rawValue: "failed")
  }

  /// The function that failed and the system's code for the failure.
  public struct Cause: Equatable, Sendable, Codable {
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

  fileprivate struct Content: Equatable, Sendable, Codable {
    enum CodingKeys: String, CodingKey {
      case kind, subject, operation, reason, cause, remedy
    }

    var kind: Kind
    var subject: String?
    var operation: String
    var reason: String
    var cause: Cause?
    var remedy: String
    var isThere = false
  }

  private final class Box: Sendable {
    let content: Content

    init(_ content: Content) {
      self.content = content
    }
  }

  private var box: Box

  fileprivate var content: Content {
    get { box.content }
    set { box = Box(newValue) }
  }

  public var kind: Kind {
    get { box.content.kind }
    set { content.kind = newValue }
  }

  /// What it is about, as the configuration names it: a line (`GPIO17`), a chip, a sound device, a path, an address on a bus. Several are
  /// separated by ", ". Nil where it is about none of these.
  public var subject: String? {
    get { box.content.subject }
    set { content.subject = newValue }
  }

  /// What was tried, after "cannot": `request line GPIO17 of pinctrl-bcm2711 as input`.
  public var operation: String {
    get { box.content.operation }
    set { content.operation = newValue }
  }

  /// Why it failed, in a few words: `busy`.
  public var reason: String {
    get { box.content.reason }
    set { content.reason = newValue }
  }

  /// The call behind it; nil where no call failed.
  public var cause: Cause? {
    get { box.content.cause }
    set { content.cause = newValue }
  }

  /// What to do about it: whole sentences.
  public var remedy: String {
    get { box.content.remedy }
    set { content.remedy = newValue }
  }

  /// Whether hardware that is lost is there all the same: its driver is started anew at once, however often that happens.
  package var isThere: Bool {
    get { box.content.isThere }
    set { content.isThere = newValue }
  }

  public init(
    _ kind: Kind, of subject: String? = nil, cannot operation: String, reason: String, cause: Cause? = nil,
    remedy: String
  ) {
    box = Box(
      Content(kind: kind, subject: subject, operation: operation, reason: reason, cause: cause, remedy: remedy))
  }

  public static func == (first: DriverError, second: DriverError) -> Bool {
    first.box === second.box || first.content == second.content
  }
}

extension DriverError: Codable {
  public init(from decoder: any Decoder) throws { box = Box(try Content(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

extension DriverError: CustomStringConvertible {
  public var description: String {
    let code = cause.map { " (\($0.name))" } ?? ""
    return "cannot \(operation): \(reason)\(code). \(remedy)"
  }
}

// What looks at everything there is, as a failed expectation of a test does, would show the object and not what it says.
extension DriverError: CustomReflectable {
  public var customMirror: Mirror { Mirror(reflecting: content) }
}
