import CycleCore

/// A driver of many devices of one kind: their lines are requested together, and all changes of one frame are written
/// in one call.
///
/// All devices are on one chip and have at most 64 lines together. The kernel must be able to describe their settings
/// in one request: 10 attributes. `LensList(each:)` takes any number of devices and creates the necessary number of
/// these drivers.
public struct LineDriverArray<Device: LineDevice>: Driver {
  /// A model for each device, in their order.
  public typealias Model = [Device.Model]

  /// An event of one device.
  public struct Event {
    /// The device's number.
    public let number: Int
    public let event: Device.Event

    public init(_ number: Int, _ event: Device.Event) {
      self.number = number
      self.event = event
    }
  }

  public static var isInput: Bool { Device.isInput }

  /// The maximum number of lines of a request.
  static var mostLines: Int { 64 }

  private let devices: [Device]
  /// The number of each device.
  private let numbers: [Int]
  private var work: LineDriverWitness<Device.Model>?

  /// - Parameters:
  ///   - devices: at least one.
  ///   - numbers: the devices' numbers in events; 0, 1, 2 … unless given.
  public init(_ devices: [Device], numbers: [Int]? = nil) {
    precondition(!devices.isEmpty, "the list of devices is empty; use a list of lenses, which may be empty")
    precondition(
      devices.allSatisfy { $0.chip === devices[0].chip }, "devices on several chips need a list of lenses")
    self.devices = devices
    self.numbers = numbers ?? Array(devices.indices)
  }

  public var safeModel: Model { devices.map(\.safeModel) }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    if work == nil { work = Device.makeWork(devices, numbers: numbers, in: context) }
    try work!.start(model)
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    try work?.render(model, previous)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    try work?.wake(wake)
  }

  public var isAtRest: Bool { work?.isAtRest() ?? true }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try devices[0].chip.watchForReturn(watcher)
  }

  public mutating func stop() {
    work?.stop()
  }

  /// Refuses events of devices that it doesn't have, and those that their device refuses.
  public func refusal(of event: Event) -> String? {
    guard let place = numbers.firstIndex(of: event.number) else {
      let (least, greatest) = (numbers.min() ?? 0, numbers.max() ?? 0)
      return "there is no device \(event.number); devices are \(least) to \(greatest)"
    }
    return devices[place].refusal(of: event.event)
  }

  /// Groups the devices' indices by request: each group is on one chip, has at most ``mostLines`` lines, and takes at
  /// most ``LineAttributeCount/most`` attributes.
  static func shares(of devices: [Device]) -> [[Int]] {
    var shares: [(chip: any GPIOChip, places: [Int], lines: Int, attributes: LineAttributeCount)] = []
    for place in devices.indices {
      let lines = devices[place].lines
      if let share = shares.lastIndex(where: { $0.chip === devices[place].chip }),
        shares[share].lines + lines.count <= mostLines,
        case let attributes = shares[share].attributes.adding(lines), attributes.count <= LineAttributeCount.most
      {
        shares[share].places.append(place)
        shares[share].lines += lines.count
        shares[share].attributes = attributes
      } else {
        shares.append((devices[place].chip, [place], lines.count, LineAttributeCount(of: lines)))
      }
    }
    return shares.map(\.places)
  }
}

/// The event type of a ``LineDriverArray`` for any device.
package protocol DeviceEvent {
  /// Whether such events exist: false for devices without events.
  static var canHappen: Bool { get }
}

extension LineDriverArray.Event: DeviceEvent {
  package static var canHappen: Bool { Device.Event.self != Never.self }
}

extension LineDriverArray.Event: Sendable {}
extension LineDriverArray.Event: CustomStringConvertible {
  /// The text `device 2: pressed`.
  public var description: String { "device \(number): \(event)" }
}
extension LineDriverArray.Event: BitwiseCopyable where Device.Event: BitwiseCopyable {}
extension LineDriverArray.Event: Equatable where Device.Event: Equatable {}
extension LineDriverArray.Event: Codable where Device.Event: Codable {}

/// Written as the device's number and its event: `[2,"pressed"]`.
extension LineDriverArray.Event: Recordable where Device.Event: Recordable {
  public func write(to recording: inout JSONWriter) {
    recording.beginArray()
    recording.write(number)
    event.write(to: &recording)
    recording.endArray()
  }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    try recording.beginArray()
    guard try recording.hasElement() else { throw recording.fault("the number of a device is missing") }
    let number: Int = try recording.readInteger()
    guard try recording.hasElement() else { throw recording.fault("the event of a device is missing") }
    self.init(number, try Device.Event(from: &recording))
    try recording.endArray()
  }
}
