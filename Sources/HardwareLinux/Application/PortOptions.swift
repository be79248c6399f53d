import Terminal

/// What stands behind a port.
public struct PortChoice: Equatable, Sendable {
  /// As the command line says it.
  let text: String

  /// The hardware of this machine.
  public static let real = PortChoice(text: "real")
  /// Hardware in memory.
  public static let simulated = PortChoice(text: "simulated")

  /// A file in place of the hardware, where the port has a ``Port/fileSuffix``.
  public static func file(_ path: String) -> PortChoice { PortChoice(text: path) }

  /// Whether ports of this kind can be so.
  func fits<P: Port>(_ port: P.Type) -> Bool {
    if self == .real || self == .simulated { return true }
    // A file is made under a name in UTF-8.
    guard let suffix = P.fileSuffix else { return false }
    return text.lowercased().hasSuffix(suffix) && PathBytes.bytes(of: text) == Array(text.utf8)
  }
}

/// What stands behind each port of an application, as its command line says.
///
///     let options = PortOptions(others: .simulated, ["audio": .file("out.wav")])
public struct PortOptions: Equatable, Sendable {
  /// What stands behind the ports that nothing else is said about: ``PortChoice/real`` or ``PortChoice/simulated``.
  public var others: PortChoice
  private var choices: [String: PortChoice]

  /// All ports real.
  public static let real = PortOptions(others: .real)
  /// All ports simulated.
  public static let simulated = PortOptions(others: .simulated)

  /// - Parameter choices: by the ports' names.
  public init(others: PortChoice, _ choices: [String: PortChoice] = [:]) {
    self.others = others
    self.choices = choices
  }

  /// What stands behind the ports of this name.
  public subscript(_ name: String) -> PortChoice {
    get { choices[name] ?? others }
    set { choices[name] = newValue }
  }

  /// Whether some hardware may be real: then time is too.
  var isPartlyReal: Bool { others == .real || choices.values.contains(.real) }
  /// Whether some hardware may be simulated.
  var isPartlySimulated: Bool { others == .simulated || choices.values.contains(.simulated) }
}

extension PortOptions {
  private static let allSimulated = "--simulated"

  /// The options of a command line that choose what stands behind the ports: `--gpio real|simulated` for each kind, and `--simulated`.
  package static func options(of ports: [any Port.Type]) -> [CommandSyntax.Option] {
    ports.map { option(of: $0) } + [
      CommandSyntax.Option(allSimulated, help: "Everything is simulated that no other option speaks of.")
    ]
  }

  private static func option<P: Port>(of port: P.Type) -> CommandSyntax.Option {
    let file = P.fileSuffix.map { "|FILE\($0)" } ?? ""
    return CommandSyntax.Option("--\(P.name)", value: "real|simulated\(file)", help: P.help) {
      PortChoice(text: $0).fits(port)
    }
  }

  /// What a command line says of the ports of these names.
  ///
  /// - Parameter others: what stands behind the ports that it says nothing of.
  package init(_ arguments: ParsedArguments, of names: [String], others: PortChoice) {
    self.init(others: arguments.has(Self.allSimulated) ? .simulated : others)
    for name in names { choices[name] = arguments.value(of: "--\(name)").map(PortChoice.init(text:)) }
  }

  /// What a command line says of ports that are not known yet: every option is taken for one of a port. The line is to be read again when
  /// the application has asked for its ports.
  init(guessing arguments: [String], others: PortChoice) {
    let names = arguments.compactMap { argument -> String? in
      guard argument.hasPrefix("--"), argument != "--help", argument != Self.allSimulated else { return nil }
      return String(argument.dropFirst(2).prefix { $0 != "=" })
    }
    let options = names.map { CommandSyntax.Option("--\($0)", value: "VALUE", help: "") }
    let syntax = CommandSyntax("", "", options: options + Self.options(of: []))
    self.init((try? syntax.parse(arguments)) ?? ParsedArguments(), of: names, others: others)
  }
}
