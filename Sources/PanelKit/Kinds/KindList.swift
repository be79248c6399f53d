/// The kinds of devices that panel files can name.
public struct KindList: Sendable {
  /// The first one is that of examples in messages.
  var inputs: [any InputWord.Type]
  var outputs: [any OutputWord.Type]
  /// Where the numbers of sensors come from.
  var sensors: [any SensorSource.Type]
  /// What the chips are that devices can be on besides the panel's own.
  var chips: [any ChipKind.Type]

  /// The kinds of this package.
  public static let standard = KindList(
    inputs: [
      ButtonKind.self,
      SwitchKind.self,
      EncoderKind.self,
      ButtonGroup.self,
      KeypadKind.self,
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
    ],
    chips: [
      ShiftRegisterKind.self,
      ExpanderKind.self,
    ])

  /// These kinds, and kinds of a package outside.
  ///
  ///     PanelCommand.main(kinds: .standard.adding(outputs: [ColourLampKind.self]))
  ///
  /// Traps where two kinds have the same word: a file couldn't say which is meant.
  ///
  /// - Parameters:
  ///   - inputs: mostly ``InputKind``s.
  ///   - outputs: mostly ``OutputKind``s.
  ///   - sensors: where else the numbers of sensors come from.
  ///   - chips: what else the chips are that devices can be on.
  public func adding(
    inputs: [any InputWord.Type] = [], outputs: [any OutputWord.Type] = [], sensors: [any SensorSource.Type] = [],
    chips: [any ChipKind.Type] = []
  ) -> KindList {
    let kinds = KindList(
      inputs: self.inputs + inputs, outputs: self.outputs + outputs, sensors: self.sensors + sensors,
      chips: self.chips + chips)
    for words in [
      kinds.inputs.map { $0.word }, kinds.outputs.map { $0.word }, kinds.sensors.map { $0.word },
      kinds.chips.map { $0.word },
    ] {
      precondition(Set(words).count == words.count, "two kinds have the same word, of \(words.joined(separator: ", "))")
    }
    return kinds
  }
}
