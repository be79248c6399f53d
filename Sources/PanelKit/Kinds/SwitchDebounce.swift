import PanelLanguage

/// `debounce` of a switch: a duration, or one for each position: `{ on: 3s, off: 30m }`.
package struct SwitchDebounce: Equatable, Sendable {
  static let range: ClosedRange<Duration> = .zero ... .seconds(3600)
  private static let directions = FieldSet(
    name: "debounce",
    keys: [
      Key(
        name: "on", takes: "a duration: 3s", isRequired: true, shape: .span(range),
        meaning: "time for which the switch must be on before that counts"),
      Key(
        name: "off", takes: "a duration: 30m", isRequired: true, shape: .span(range),
        meaning: "time for which the switch must be off before that counts"),
    ])
  /// The key of a switch, computed or not.
  static let key = Key(
    name: "debounce", takes: "a duration: 5ms, or a map: { on: 3s, off: 30m }",
    shape: .oneOf([.span(range), .fields(directions)]), usual: "`5ms`. For a computed switch: `0s`",
    meaning: "time that the switch must be stable before a change counts, in both directions, or one time for each. "
      + "At the start, 90 ms are enough for a contact")

  var on: Duration
  var off: Duration

  var shorter: Duration { min(on, off) }
  var longer: Duration { max(on, off) }
  func time(to position: Int) -> Duration { position == 1 ? on : off }
}

extension DeviceFields {
  /// The debounce times of a switch; `usual` for both if the file has none.
  func switchDebounce(usual: Duration) -> SwitchDebounce {
    let usual = SwitchDebounce(on: usual, off: usual)
    guard let field = self["debounce"] else { return usual }
    guard case .map = field.node.content else {
      return problems.duration(field, in: SwitchDebounce.range).map { SwitchDebounce(on: $0, off: $0) } ?? usual
    }
    guard case .oneOf(let shapes) = field.key.shape, case .fields(let directions)? = shapes.last,
      let fields = problems.fields(field.node, directions, at: field.position)
    else { return usual }
    return SwitchDebounce(
      on: problems.duration(fields["on"], in: SwitchDebounce.range) ?? usual.on,
      off: problems.duration(fields["off"], in: SwitchDebounce.range) ?? usual.off)
  }
}
