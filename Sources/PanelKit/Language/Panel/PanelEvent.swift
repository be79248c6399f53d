/// An event on the panel.
package enum PanelEvent: Hashable, Sendable {
  /// An event of an input, by its index in ``InputKind/events``.
  case input(Int, Int)
  /// Any input of a group.
  case anyInput(group: Int, Int)
  case finished(sound: Int)
  /// Any sound of a group.
  case anyFinished(group: Int)
  case lost(PluggableHardware)
  case restored(PluggableHardware)
  /// A remote event, by its index in ``AcceptedCommands/events``.
  case asked(Int)
}
