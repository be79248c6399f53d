/// The kinds of devices that panel files can name.
struct KindList: Sendable {
  /// The first one is that of examples in messages.
  var inputs: [any InputKind.Type]
  var outputs: [any OutputKind.Type]

  static let standard = KindList(
    inputs: [ButtonKind.self, SwitchKind.self, EncoderKind.self],
    outputs: [LEDKind.self, BarKind.self, RelayKind.self])
}
