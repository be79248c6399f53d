import HardwareDrivers
import Terminal

extension Grammar {
  /// A message that is sent.
  static let message = FieldSet(
    name: "a message",
    keys: [
      Key(name: "osc", takes: "an address: /cue/5/start", isRequired: true, shape: .text),
      Key(
        name: "with", takes: "a list of arguments: [ 1, 0.5, go, \"{level}\" ]",
        shape: .list(of: .text, count: 0...SendReader.mostArguments), usual: "none"),
    ])

  static let send = Key(
    name: "send", takes: "a map, or a list of them: { osc: /cue/5/start }",
    shape: .oneOf([.fields(message), .list(of: .fields(message), count: 1...Int.max)]))
}

/// Reads the messages of a `send`.
struct SendReader {
  static let mostArguments = 16
  /// The maximum size of an address, and of all texts among the arguments of a message together.
  static let mostBytes = 255

  let names: Names
  let problems: ProblemList
  let scope: ExpressionContext

  /// - Returns: indexes in ``PanelDefinition/messages``.
  func read(_ field: Field?) -> [Int] {
    guard let field else { return [] }
    guard names.hasReceivers else {
      problems.add(field.position, "\"send\" has no receivers; write osc: { send: [ \"HOST:PORT\" ] } in the file")
      return []
    }
    guard case .list(let items) = field.node.content else { return message(field.node, at: field.position) }
    if items.isEmpty { problems.addWrong(field) }
    return items.flatMap { message($0, at: $0.position) }
  }

  private func message(_ node: YAMLNode, at position: Position) -> [Int] {
    guard let fields = problems.fields(node, Grammar.message, at: position), let field = fields["osc"],
      let address = problems.text(field)
    else { return [] }
    if let fault = Self.fault(ofAddress: address) {
      problems.add(field.node.position, "\(quoted(address)) is not an OSC address: \(fault); write /cue/5/start")
      return []
    }
    guard let arguments = arguments(fields["with"]) else { return [] }
    let message = PanelMessage(address: address, arguments: arguments)
    if let known = names.usage.messages.firstIndex(of: message) { return [known] }
    names.usage.messages.append(message)
    return [names.usage.messages.count - 1]
  }

  /// The error in an address; nil for one that can be sent. Patterns such as `/cue/*/stop` are for the receiver to
  /// match.
  static func fault(ofAddress address: String) -> String? {
    guard address.hasPrefix("/") else { return "it doesn't start with /" }
    guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      return "it has a space, a # or a character that is not ASCII"
    }
    return address.utf8.count <= mostBytes ? nil : "it has more than \(mostBytes) characters"
  }

  /// Reads the arguments of a message. Returns nil if one of them is wrong, which adds a problem.
  private func arguments(_ field: Field?) -> [PanelMessage.Argument]? {
    guard let field else { return [] }
    guard let items = problems.items(field) else { return nil }
    guard items.count <= Self.mostArguments else {
      problems.add(
        field.node.position,
        "there are \(counted(items.count, "argument")); a message has at most \(Self.mostArguments)")
      return nil
    }
    let arguments = items.compactMap { item -> PanelMessage.Argument? in
      guard case .scalar(let text) = item.content else {
        if item.content != .refused {
          problems.add(item.position, "\"with\" can't contain \(item.kind); it takes \(field.key.takes)")
        }
        return nil
      }
      return argument(text, item)
    }
    guard arguments.count == items.count else { return nil }
    let byteCount = arguments.reduce(0) { count, argument in
      if case .fixed(.text(let text)) = argument { count + text.utf8.count } else { count }
    }
    guard byteCount <= Self.mostBytes else {
      problems.add(
        field.node.position, "the texts have \(byteCount) bytes; a message has at most \(Self.mostBytes)")
      return nil
    }
    return arguments
  }

  /// An argument: a number, `true`, `false`, a number of the panel in braces, or a text.
  private func argument(_ text: String, _ node: YAMLNode) -> PanelMessage.Argument? {
    if let number = Quantity.whole(text) { return .fixed(.integer(Int32(clamping: number))) }
    if let number = Quantity.number(text) { return .fixed(.real(Float(number))) }
    switch text {
    case "true": return .fixed(.truth(true))
    case "false": return .fixed(.truth(false))
    default: break
    }
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
      return .fixed(.text(text))
    }
    let inner = text.dropFirst().dropLast()
    guard text.hasPrefix("{"), text.hasSuffix("}"), !inner.utf8.contains(UInt8(ascii: "{")) else {
      problems.add(
        node.position,
        "\(quoted(text)) has misplaced braces; an argument is a text, or one number of the panel: \"{level}\"")
      return nil
    }
    // A space replaces the brace, so that the positions of the tokens stay the same.
    var reader = ExpressionReader(" " + inner, of: node, key: "with", in: scope, names: names, problems: problems)
    guard let shown = reader?.shown() else { return nil }
    guard case .number(let number) = shown else {
      return if case .text(let texts, let number) = shown { .oneOf(texts, number) } else { nil }
    }
    switch number.unit {
    case .duration: return .duration(number.number)
    case .time: return .time(number.number)
    case .number: return .number(number.number, decimals: number.decimals)
    }
  }
}
