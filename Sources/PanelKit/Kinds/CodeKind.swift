import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import Terminal

/// `card: { code: { keys: Sycreader USB Reader }, known: { anna: 0008312345 } }`: a reader that types codes. Its events
/// and positions are the names of the known codes, and `other`.
package struct CodeKind: DrivenInputKind {
  package static let grammar = FieldSet(
    name: "a reader of codes", summary: "reader of cards or barcodes that types like a keyboard",
    sample: "card: { code: { keys: Sycreader USB Reader }, known: { anna: 0008312345 } }",
    keys: [
      Key(name: "code", takes: "its device: { keys: Sycreader USB Reader }", shape: .fields(source)),
      Key(
        name: "known", takes: "a map of 1...100 names: { anna: 0008312345 }", isRequired: true,
        shape: .map(keys: .name, to: .text, count: 1...100),
        meaning: "codes that the panel knows, each with a name. All other codes are `other`"),
      Key(
        name: "longest", takes: "a number of characters: 32", shape: .whole(1...64), usual: "`32`",
        meaning: "maximum number of characters of a code. A longer one is dropped and reported"),
      Key(
        name: "gap", takes: "a duration: 1s", shape: .span(.milliseconds(10) ... .seconds(60)), usual: "`1s`",
        meaning: "longest time between two keys of a code. A code that stops before Enter is dropped and reported"),
      InputDeviceSettings.grabKey,
    ])
  package static let control = InputControl.events
  package static var ports: [any Port.Type] { [KeysPort.self] }

  private static let source = FieldSet(
    name: "the device of a reader",
    keys: [
      Key(
        name: "keys", takes: InputDeviceSettings.takes, isRequired: true, shape: .text,
        meaning: InputDeviceSettings.meaning)
    ])
  /// The word for codes that are not known.
  private static let other = "other"

  private struct Known: Equatable, Sendable {
    let name: String
    let code: String
  }

  private let name: String
  private let device: InputDeviceSettings
  private let known: [Known]
  private let longest: Int
  private let gap: Duration
}

// MARK: - Settings

extension CodeKind {
  package init?(reading fields: DeviceFields) {
    name = fields.name
    let longest = fields.whole("longest") ?? 32
    (self.longest, gap) = (longest, fields.duration("gap") ?? .seconds(1))
    let inner = fields.inside("code", Self.source)
    let device = inner.flatMap { InputDeviceSettings(reading: fields, device: $0, key: "keys") }
    guard let known = Self.known(fields, longest), let device else { return nil }
    (self.known, self.device) = (known, device)
  }

  private static func known(_ fields: DeviceFields, _ longest: Int) -> [Known]? {
    fields.known(
      refusing: { name in
        [other, "unknown"].contains(name)
          ? "\(quoted(name)) is the name of all codes that are not known; choose another" : nil
      },
      twins: { "\(quoted($0)) has the same code as \(quoted($1)); write each code once" },
      { code throws(KnownNameFault) in
        guard (1...longest).contains(code.utf8.count) else {
          throw KnownNameFault(
            "\(quoted(code)) has \(code.utf8.count) characters; a code has 1 to \(longest), set longest for more")
        }
        guard CodeReader.canRead(code) else {
          throw KnownNameFault(
            "\(quoted(code)) has characters that a reader can't type; write letters, digits and signs of ASCII")
        }
        return code
      }
    )?.map { Known(name: $0.name, code: $0.code) }
  }
}

// MARK: - A reader as an input

extension CodeKind {
  package var lines: [String] { [] }
  package var events: [String] { known.map(\.name) + [Self.other] }
  package var positions: [String] { events }
  package func position(after event: Int) -> Int? { event }
  package var lens: String { "code \(name)" }
  package var hardware: [DeviceHardware] { [DeviceHardware(device.port)] }
  package var origin: String? { "it is the input device \(device.choice.text)" }

  /// The place of the event of a code.
  private func event(of code: String) -> Int { known.firstIndex { $0.code == code } ?? known.count }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    guard let keys = platform.simulated(at: device.port) else { return .none }
    let stranger = (0...known.count).lazy.map(String.init).first { code in !known.contains { $0.code == code } }
    return .events(SimulatedReader(keys, codes: known.map(\.code) + [stranger ?? "0"]))
  }

  package static func lenses(of readers: [CodeKind], in context: InputLensContext) -> LensBundle {
    let drivers = readers.map { reader in
      CodeReader(
        context.platform.hardware(at: reader.device.port),
        settings: .init(
          longest: reader.longest, gap: reader.gap, isGrabbed: reader.device.isGrabbed,
          known: reader.known.map(\.code)))
    }
    // Readers have lenses of their own names.
    return context.lenses(of: drivers, for: readers, showing: NoModel()) { event in
      switch event {
      case .read(let code): .event(readers[0].event(of: code))
      }
    }
  }
}

/// A simulated reader, for steps of a scenario.
private final class SimulatedReader: SimulatedEvents {
  private let keys: SimulatedKeys
  private let codes: [String]

  /// - Parameter codes: the code of each event.
  init(_ keys: SimulatedKeys, codes: [String]) {
    self.keys = keys
    self.codes = codes
  }

  func emit(_ event: Int, number: Double?) throws(DriverError) {
    // A reader types slowly enough for the program to read each key.
    for character in codes[event] {
      keys.type(String(character), endsWithEnter: false)
      try keys.bench.settle()
    }
    keys.type("")
    try keys.bench.settle()
  }
}
