/// A failure outside the program: the operation, the cause that the system named, and a remedy.
///
///     cannot request line GPIO17 of pinctrl-bcm2711 as input: busy (EBUSY). "gpio-keys" uses it.
///     Stop that program or choose another line; `gpioinfo` lists the users of all lines.
///
/// It is one word long. Its content is in an object, which is allocated only when something fails.
public struct DriverError: Error, Equatable, Sendable {
  /// The kind of the failure, for decisions in code. The texts are for people.
  ///
  /// The list is open: drivers can define more kinds, so a switch over kinds needs a default.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public var rawValue: String
    public var description: String { rawValue }

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The device is not there. It may be connected later.
    public static let absent = Kind(rawValue: "absent")
    /// Another program uses it.
    public static let busy = Kind(rawValue: "busy")
    /// This user has no permission to open it.
    public static let notPermitted = Kind(rawValue: "notPermitted")
    /// It was there, and was removed or disconnected.
    public static let lost = Kind(rawValue: "lost")
    /// The configuration requests something that the hardware doesn't have, or names one thing twice. Waiting doesn't
    /// help: the configuration must change.
    public static let misconfigured = Kind(rawValue: "misconfigured")
    /// The device can't do the requested operation.
    public static let unsupported = Kind(rawValue: "unsupported")
    /// It is there, but was not read yet. This is not a trouble: it is read at its next time.
    public static let unread = Kind(rawValue: "unread")
    /// A file that a command names is missing, or is a folder.
    public static let noSuchFile = Kind(rawValue: "noSuchFile")
    /// A file that a command names can't be created, for example because its folder is missing.
    public static let cannotWrite = Kind(rawValue: "cannotWrite")
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
    var isHardwarePresent = false
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

  /// The affected hardware, as the configuration names it: a line (`GPIO17`), a chip, a sound device, a path, an
  /// address on a bus. Several names are separated by ", ". Nil if the error is about none of these.
  public var subject: String? {
    get { box.content.subject }
    set { content.subject = newValue }
  }

  /// The failed operation, as it follows the word "cannot": `request line GPIO17 of pinctrl-bcm2711 as input`.
  public var operation: String {
    get { box.content.operation }
    set { content.operation = newValue }
  }

  /// The reason of the failure, in a few words: `busy`.
  public var reason: String {
    get { box.content.reason }
    set { content.reason = newValue }
  }

  /// The function that failed; nil if no function call failed.
  public var cause: Cause? {
    get { box.content.cause }
    set { content.cause = newValue }
  }

  /// The remedy, in complete sentences.
  public var remedy: String {
    get { box.content.remedy }
    set { content.remedy = newValue }
  }

  /// Whether hardware reported as `lost` is nevertheless present. A pause before the driver's restart would then be
  /// useless.
  package var isHardwarePresent: Bool {
    get { box.content.isHardwarePresent }
    set { content.isHardwarePresent = newValue }
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

// Reflection, as in a failed expectation of a test, would print the object instead of its content.
extension DriverError: CustomReflectable {
  public var customMirror: Mirror { Mirror(reflecting: content) }
}
