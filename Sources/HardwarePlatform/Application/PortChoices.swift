import HardwareDrivers
import Terminal

/// Whether a port is real, simulated or a file.
public struct PortChoice: Equatable, Sendable {
  /// The choice as on the command line: `real`, `simulated` or a path.
  let text: String

  /// The hardware of this machine.
  public static let real = PortChoice(text: "real")
  /// Hardware in memory.
  public static let simulated = PortChoice(text: "simulated")

  /// A file that replaces the hardware, if the port has a ``HardwareDrivers/Port/fileSuffix``.
  public static func file(_ path: String) -> PortChoice { PortChoice(text: path) }

  /// The file's path; nil if the choice is not a file.
  package var path: String? { self == .real || self == .simulated ? nil : text }

  /// Whether ports of this type support this choice.
  func fits<P: Port>(_ port: P.Type) -> Bool {
    if self == .real || self == .simulated { return true }
    // The path must be UTF-8, because the file is created under that name.
    guard let suffix = P.fileSuffix else { return false }
    return text.lowercased().hasSuffix(suffix) && PathBytes.bytes(of: text) == Array(text.utf8)
  }
}

/// Whether each port of an application is real, simulated or a file, as on its command line.
///
///     let options = PortChoices(others: .simulated, ["audio": .file("out.wav")])
public struct PortChoices: Equatable, Sendable {
  /// The choice for ports without a separate one: ``PortChoice/real`` or ``PortChoice/simulated``.
  public var others: PortChoice
  private var choices: [String: PortChoice]

  /// All ports real.
  public static let real = PortChoices(others: .real)
  /// All ports simulated.
  public static let simulated = PortChoices(others: .simulated)

  /// - Parameter choices: the choices by the ports' names.
  /// - Parameter others: the choice for ports without a separate one.
  public init(others: PortChoice, _ choices: [String: PortChoice] = [:]) {
    self.others = others
    self.choices = choices
  }

  /// The choice for the ports of this name.
  public subscript(_ name: String) -> PortChoice {
    get { choices[name] ?? others }
    set { choices[name] = newValue }
  }

  /// Whether any hardware may be real: then the clock is real as well.
  var isPartlyReal: Bool { others == .real || choices.values.contains(.real) }
  /// Whether any hardware may be simulated.
  var isPartlySimulated: Bool { others == .simulated || choices.values.contains(.simulated) }
}

extension PortChoices {
  private static let allSimulated = "--simulated"

  /// The command-line options for these ports: `--gpio real|simulated` for each kind, and `--simulated`.
  package static func options(of ports: [any Port.Type]) -> [CommandSyntax.Option] {
    ports.map { option(of: $0) } + [
      CommandSyntax.Option(allSimulated, help: "Simulate all hardware that no other option names.")
    ]
  }

  private static func option<P: Port>(of port: P.Type) -> CommandSyntax.Option {
    let file = P.fileSuffix.map { "|FILE\($0)" } ?? ""
    return CommandSyntax.Option("--\(P.name)", value: "real|simulated\(file)", help: P.help) {
      PortChoice(text: $0).fits(port)
    }
  }

  /// The choices of a command line for the ports of these names.
  ///
  /// - Parameter others: the choice for ports without an option, unless `--simulated` is given.
  package init(_ arguments: ParsedArguments, of names: [String], others: PortChoice) {
    self.init(others: arguments.has(Self.allSimulated) ? .simulated : others)
    for name in names { choices[name] = arguments.value(of: "--\(name)").map(PortChoice.init(text:)) }
  }

  /// The choices of a command line before the ports are known. Every unknown option counts as the option of a port. The
  /// command line must be parsed again when the application has requested its ports.
  ///
  /// - Parameter known: the options that don't belong to a port.
  init(guessing arguments: [String], besides known: [CommandSyntax.Option], others: PortChoice) {
    let known = known + Self.options(of: [])
    let names = arguments.compactMap { argument -> String? in
      let name = argument.prefix { $0 != "=" }
      guard name.hasPrefix("--"), name != "--help", !known.contains(where: { $0.name == name }) else { return nil }
      return String(name.dropFirst(2))
    }
    let options = names.map { CommandSyntax.Option("--\($0)", value: "VALUE", help: "") }
    let syntax = CommandSyntax("", "", options: options + known)
    self.init((try? syntax.parse(arguments)) ?? ParsedArguments(), of: names, others: others)
  }
}
