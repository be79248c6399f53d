/// The kinds of devices that panel files can name.
struct KindList: Sendable {
  /// The first one is that of examples in messages.
  var inputs: [any InputWord.Type]
  var outputs: [any OutputWord.Type]
  /// Where the numbers of sensors come from.
  var sensors: [any SensorSource.Type]

  static let standard = KindList(
    inputs: [
      ButtonKind.self,
      SwitchKind.self,
      EncoderKind.self,
      ButtonGroup.self,
      ChordKind.self,
      SensorKind.self,
    ],
    outputs: [
      LEDKind.self,
      BarKind.self,
      RelayKind.self,
      LEDGroup.self,
      DisplayWord.self,
    ],
    sensors: [
      OneWireSource.self,
      IIOSource.self,
      HwmonSource.self,
      FileSource.self,
      DistanceSource.self,
    ])
}
