/// Something that happened on the panel.
enum PanelEvent: Hashable, Sendable {
  /// An input, and the event's place in ``InputKind/events``.
  case input(Int, Int)
  /// Any input of a group.
  case anyInput(group: Int, Int)
  case finished(sound: Int)
  /// Any sound of a group.
  case anyFinished(group: Int)
  case lost(PluggableHardware)
  case restored(PluggableHardware)
  /// Somebody has asked for something from outside, by its place in ``Acceptance/events``.
  case asked(Int)
}
