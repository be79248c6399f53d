/// What may be done to a panel from outside, by whoever reaches its control socket or its broker: nothing unless the file
/// says so in `accept`.
struct Acceptance: Equatable, Sendable {
  /// The values that may be set, by their places in ``PanelDefinition/values``; no lists.
  var values: [Int] = []
  /// The buttons that may be pressed, by their places in ``PanelDefinition/inputs``.
  var presses: [Int] = []
  /// The encoders that may be turned.
  var turns: [Int] = []
  /// What may be asked for besides: `light` is the event `network.light`.
  var events: [String] = []

  var isEmpty: Bool { values.isEmpty && presses.isEmpty && turns.isEmpty && events.isEmpty }
}

extension Grammar {
  static let accept = Place(
    name: "accept",
    keys: [
      Key(name: "set", takes: "a list of values: [ level ]", shape: .list(of: .name)),
      Key(name: "press", takes: "a list of buttons: [ bell ]", shape: .list(of: .text)),
      Key(name: "turn", takes: "a list of encoders: [ knob ]", shape: .list(of: .text)),
      Key(name: "event", takes: "a list of names: [ light ]", shape: .list(of: .name)),
    ])
}
