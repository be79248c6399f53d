import CycleCore
import HardwareDrivers
import Terminal

/// The receivers and the listening address of Open Sound Control: `osc` of the file. Unlike a broker's address, these
/// addresses are in the file: they belong to the show, and each message is sent to all receivers.
package struct OSCDefinition: Equatable, Sendable {
  /// The maximum number of receivers. Each has its own thread.
  static let mostReceivers = 8

  package var receivers: [OSCEndpoint] = []
  /// The address at which the panel receives commands; nil if it receives none.
  package var listening: OSCEndpoint?
  /// The subjects that are sent to all receivers.
  package var told = MQTTDefinition()

  /// The names of the lenses, which can have trouble separately: the receivers, and then the listener.
  package var lensNames: [String] {
    receivers.map { "osc to \($0.text)" } + (listening.map { ["osc at \($0.text)"] } ?? [])
  }
}

extension Grammar {
  static let osc = FieldSet(
    name: "osc",
    keys: [
      Key(
        name: "send", takes: "a list of receivers: [ \"qlab.lan:53000\" ]",
        shape: .list(of: .text, count: 1...OSCDefinition.mostReceivers)),
      Key(
        name: "publish", takes: "all, or a list of names: [ bell, lamp, state ]",
        shape: .oneOf([.words(["all"]), .list(of: .text)]), usual: "`all`"),
      Key(name: "accept", takes: "an address of this machine and a port: \"0.0.0.0:9000\"", shape: .text),
    ])
}

/// Reads the `osc` of a panel file.
struct OSCReader {
  let names: Names
  let problems: ProblemList

  /// - Parameter panel: the panel, with all of its file except `osc`.
  func definition(_ field: Field?, of panel: PanelDefinition) -> OSCDefinition? {
    guard let field else { return nil }
    var definition = OSCDefinition()
    guard let fields = problems.fields(field.node, Grammar.osc, at: field.position) else { return definition }
    if let send = fields["send"] { definition.receivers = receivers(send) }
    definition.listening = fields["accept"].flatMap { accept in
      problems.text(accept).flatMap { endpoint($0, at: accept.node.position) }
    }
    if let accept = fields["accept"], panel.accept.isEmpty {
      problems.note(accept.position, "no remote command is accepted; write accept: { press: [ NAME ] } in the file")
    }
    if let publish = fields["publish"], fields["send"] == nil {
      problems.add(publish.position, "\"publish\" has no receivers; write send: [ \"HOST:PORT\" ]")
    }
    if fields.isMissing("send"), fields.isMissing("accept") {
      problems.add(
        field.position,
        "\"osc\" neither sends nor receives; write send: [ \"HOST:PORT\" ] or accept: \"0.0.0.0:9000\"")
    }
    let reader = NetworkReader(names: names, problems: problems)
    if let publish = fields["publish"] {
      definition.told = reader.told(publish, of: panel)
    } else if !definition.receivers.isEmpty {
      definition.told = reader.all(of: panel)
    }
    return definition
  }

  private func receivers(_ field: Field) -> [OSCEndpoint] {
    guard let items = problems.items(field) else { return [] }
    guard (1...OSCDefinition.mostReceivers).contains(items.count) else {
      problems.add(
        field.node.position, "there are \(counted(items.count, "receiver")); write 1 to \(OSCDefinition.mostReceivers)")
      return []
    }
    var receivers: [OSCEndpoint] = []
    for item in items {
      guard let text = problems.text(item, in: field), let receiver = endpoint(text, at: item.position) else {
        continue
      }
      if receivers.contains(receiver) {
        problems.add(item.position, "\(quoted(text)) is in the list twice; write it once")
      } else {
        receivers.append(receiver)
      }
    }
    return receivers
  }

  private func endpoint(_ text: String, at position: Position) -> OSCEndpoint? {
    do throws(DriverError) {
      return try OSCEndpoint(text)
    } catch {
      problems.add(position, "\(quoted(text)) is not an address for OSC: \(error.reason); write \"HOST:PORT\"")
      return nil
    }
  }
}
