import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `badge: { tag: { mfrc522: 0.0 }, known: { anna: 04A2B3C4 } }`: a reader of contactless tags, with names for some.
package struct TagKind: DrivenInputKind {
  package static let grammar = FieldSet(
    name: "a tag reader", summary: "reader of contactless tags (RFID, NFC), with names for the tags",
    sample: "badge: { tag: { mfrc522: 0.0 }, known: { anna: 04A2B3C4 } }",
    keys: [
      Key(name: "tag", takes: "the chip and its place: { mfrc522: 0.0 }", shape: .fields(chips)),
      Key(
        name: "known", takes: "a map of names and the numbers of tags: { anna: 04A2B3C4 }", isRequired: true,
        shape: .map(keys: .name, to: .text, count: 1...64),
        meaning: "names of the known tags. The number of a tag has 8, 14 or 20 hexadecimal digits"),
      Key(
        name: "every", takes: "a duration: 250ms", shape: .span(.milliseconds(50) ... .seconds(10)), usual: "`250ms`",
        meaning: "time from one search for a tag to the next"),
      DeviceFields.reportStartKey,
    ])
  package static let control = InputControl.selector
  package static var ports: [any Port.Type] { [SPIBusPort.self] }

  private static let chips = FieldSet(
    name: "a chip that reads tags",
    keys: [
      Key(
        name: "mfrc522", takes: "the SPI bus and the chip select: 0.0", isRequired: true, shape: .text,
        meaning: "SPI bus and chip select of the MFRC522 (board RC522): `0.0` is CE0 of the header")
    ])

  private static let nothing = "none"
  private static let other = "other"
  private static let gone = "gone"

  private let names: [String]
  private let tags: [TagID]
  private let place: SPIPlace
  private let interval: Duration
  package let reportsStart: Bool

  /// No tag, any unknown tag, and the known tags.
  package var positions: [String] { [Self.nothing, Self.other] + names }
  package var events: [String] { [Self.gone, Self.other] + names }
  package func position(after event: Int) -> Int? { event }
  /// The time until a tag is found, or is gone: two searches.
  package var longestDebounce: Duration { interval * 2 + .milliseconds(60) }
  package func settlingTime(to position: Int) -> Duration { longestDebounce }

  package init?(reading fields: DeviceFields) {
    interval = fields.duration("every") ?? .milliseconds(250)
    reportsStart = fields.reportsStart
    let known = Self.known(fields)
    guard let inner = fields.inside("tag", Self.chips), let place = SPIPlace(reading: inner, at: "mfrc522"), let known
    else { return nil }
    self.place = place
    (names, tags) = (known.map(\.name), known.map(\.code))
  }

  private static func known(_ fields: DeviceFields) -> [(name: String, code: TagID)]? {
    fields.known(
      refusing: { name in
        [nothing, other, gone].contains(name) ? "\(quoted(name)) is a word of the reader; choose another name" : nil
      },
      twins: { "\(quoted($0)) and \(quoted($1)) are the same tag; remove one" },
      { text throws(KnownNameFault) in
        if let tag = TagID(text) { return tag }
        throw KnownNameFault(
          "\(quoted(text)) is not the number of a tag; write 8, 14 or 20 hexadecimal digits: 04A2B3C4")
      })
  }

  package var lines: [String] { [] }
  package var hardware: [DeviceHardware] { [DeviceHardware(place.port)] }

  package func wiring(named name: String) -> WiringPlan.Device? {
    guard place.isOnHeader else { return nil }
    return WiringPlan.Device(
      name: name, kind: "tag reader, RC522", direction: .input,
      circuits: [
        .box(
          "RC522",
          terminals: [
            place.select(to: "SDA"), place.clock(to: "SCK"), place.data(to: "MOSI"), place.answer(to: "MISO"),
          ], supplies: ["3.3V": .volts3, "RST": .volts3, "GND": .ground])
      ])
  }

  package static func lenses(of devices: [TagKind], in context: InputLensContext) -> LensBundle {
    context.lenses(
      of: zip(devices, context.positions).map { device, position in
        TagReader(
          MFRC522(
            context.platform.hardware(at: device.place.port), chipSelect: device.place.chipSelect,
            name: device.place.port.subject),
          known: device.tags, interval: device.interval,
          last: position.map { $0 == 0 ? .gone : $0 == 1 ? .foundUnknown : .found($0 - 2) })
      }, for: devices, showing: NoModel()
    ) { event in
      switch event {
      case .gone: .event(0)
      case .foundUnknown: .event(1)
      case .found(let place): .event(place + 2)
      }
    }
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    guard let bus = platform.simulated(at: place.port) else { return .none }
    return .selector(TagWorld(bus, chipSelect: place.chipSelect, tags: tags))
  }
}

/// The simulated side of a tag reader.
private final class TagWorld: SimulatedPositions {
  private let reader: SimulatedMFRC522
  private let socket: SPISocket?
  private let tags: [TagID]
  /// A tag that is not in the list.
  private let other: TagID

  init(_ bus: SimulatedSPIBus, chipSelect: Int, tags: [TagID]) {
    self.tags = tags
    other = (0...tags.count).lazy.map { TagID([0xFE, 0xED, 0x00, UInt8($0)]) }.first { !tags.contains($0) }!
    if let known = bus.sockets.first(where: { $0.chipSelect == chipSelect })?.device as? SimulatedMFRC522 {
      reader = known
    } else {
      reader = SimulatedMFRC522()
      bus.connect(reader, at: chipSelect)
    }
    socket = bus.sockets.first { $0.chipSelect == chipSelect }
  }

  /// Puts the tag of the event on the reader.
  func emit(_ event: Int, number: Double?) throws(DriverError) {
    socket?.isPlugged = true
    reader.tags = event == 0 ? [] : [event == 1 ? other : tags[event - 2]]
  }

  /// Unplugs the reader: nothing is known until the next tag.
  func lift() { socket?.isPlugged = false }
  func bounce(for span: Duration) {}
}
