/// The kinds of devices that panel files can name.
public struct KindList: Sendable {
  /// The input words. Messages use the first one in examples.
  package var inputs: [any InputWord.Type]
  package var outputs: [any OutputWord.Type]
  /// The sources of the numbers of sensors.
  package var sensors: [any SensorWord.Type]
  /// The kinds of additional chips for devices.
  package var chips: [any ChipKind.Type]

  package init(
    inputs: [any InputWord.Type], outputs: [any OutputWord.Type], sensors: [any SensorWord.Type],
    chips: [any ChipKind.Type]
  ) {
    (self.inputs, self.outputs, self.sensors, self.chips) = (inputs, outputs, sensors, chips)
  }
}

/// A word that names the source of a sensor's number.
public protocol SensorWord: Equatable, Sendable {
  /// The keys that a file can write for such a source; the first one names it.
  static var grammar: Place { get }
}

extension SensorWord {
  /// The key that names the source: `w1`.
  package static var word: String { grammar.keys[0].name }
}
