/// The remote commands that a panel accepts from its control socket, its broker or by Open Sound Control. By default
/// none; the file lists them under `accept`.
package struct AcceptedCommands: Equatable, Sendable {
  /// The values that can be set, as indexes in ``PanelDefinition/values``; lists are not possible.
  package var values: [Int] = []
  /// The buttons that can be pressed, as indexes in ``PanelDefinition/inputs``.
  package var presses: [Int] = []
  /// The encoders that can be turned.
  package var turns: [Int] = []
  /// Further events: `light` is the event `network.light`.
  package var events: [String] = []

  package var isEmpty: Bool { values.isEmpty && presses.isEmpty && turns.isEmpty && events.isEmpty }
}

extension Grammar {
  static let accept = FieldSet(
    name: "accept",
    keys: [
      Key(name: "set", takes: "a list of values: [ level ]", shape: .list(of: .name)),
      Key(name: "press", takes: "a list of buttons: [ bell ]", shape: .list(of: .text)),
      Key(name: "turn", takes: "a list of encoders: [ knob ]", shape: .list(of: .text)),
      Key(name: "event", takes: "a list of names: [ light ]", shape: .list(of: .name)),
    ])
}
