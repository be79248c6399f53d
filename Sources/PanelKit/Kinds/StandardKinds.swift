import PanelLanguage

extension KindList {
  /// The kinds of this package.
  public static let standard = KindList(
    inputs: [
      ButtonKind.self,
      SwitchKind.self,
      SelectorKind.self,
      TagKind.self,
      EncoderKind.self,
      ButtonGroup.self,
      KeypadKind.self,
      KeysKind.self,
      CodeKind.self,
      ChordKind.self,
      SensorKind.self,
    ],
    outputs: [
      LEDDeclaration.self,
      RGBDeclaration.self,
      StripKind.self,
      BarKind.self,
      RelayKind.self,
      RelayGroup.self,
      ServoKind.self,
      MotorKind.self,
      StepperKind.self,
      BuzzerDeclaration.self,
      LEDGroup.self,
      DisplayDeclaration.self,
      DigitsDeclaration.self,
      ScreenKind.self,
      MatrixKind.self,
      SheetLevelKind.self,
    ],
    sensors: [
      OneWireSource.self,
      IIOSource.self,
      HwmonSource.self,
      FileSource.self,
      LoadSource.self,
      DiskSource.self,
      PingSource.self,
      DistanceSource.self,
      PulseSource.self,
      SheetSource.self,
      SerialSource.self,
      ModbusSource.self,
    ],
    chips: [
      ShiftRegisterKind.self,
      KernelExpanderKind.self,
      PWMChipKind.self,
      SheetChipKind.self,
    ],
    clock: ClockKind.self)

  /// These kinds together with kinds of another package.
  ///
  ///     PanelCommand.main(kinds: .standard.adding(outputs: [ColourLampKind.self]))
  ///
  /// Traps if two kinds have the same word, because a file could not distinguish them, and if a kind has no drivers.
  ///
  /// - Parameters:
  ///   - inputs: additional inputs, mostly `DrivenInputKind`s.
  ///   - outputs: additional outputs, mostly `DrivenOutputKind`s.
  ///   - sensors: additional sources of the numbers of sensors.
  ///   - chips: additional kinds of chips for devices.
  public func adding(
    inputs: [any InputDeclaration.Type] = [], outputs: [any OutputDeclaration.Type] = [],
    sensors: [any SensorSource.Type] = [],
    chips: [any DrivenChipKind.Type] = []
  ) -> KindList {
    for word in inputs where word is any InputKind.Type {
      precondition(word is any DrivenInputKind.Type, "\(word) has no drivers: conform to DrivenInputKind")
    }
    for word in outputs where word is any OutputKind.Type {
      precondition(word is any DrivenOutputKind.Type, "\(word) has no drivers: conform to DrivenOutputKind")
    }
    let kinds = KindList(
      inputs: self.inputs + inputs, outputs: self.outputs + outputs, sensors: self.sensors + sensors,
      chips: self.chips + chips, clock: clock)
    for words in [
      kinds.inputs.map { $0.word }, kinds.outputs.map { $0.word }, kinds.sensors.map { $0.word },
      kinds.chips.map { $0.word },
    ] {
      precondition(Set(words).count == words.count, "two kinds have the same word, of \(words.joined(separator: ", "))")
    }
    return kinds
  }
}
