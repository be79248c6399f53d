import CycleCore

/// A driver of one device on lines: `Lens(Button(chip, line: "GPIO17"), …)` creates it for its device.
public struct LineDriver<Device: LineDevice>: Driver {
  public typealias Model = Device.Model
  public typealias Event = Device.Event

  public static var recordingName: String { typeName(of: Device.self) }
  public static var isInput: Bool { Device.isInput }

  private let device: Device
  private var work: LineDriverWitness<Model>?

  public init(_ device: Device) {
    self.device = device
  }

  public var safeModel: Model { device.safeModel }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    if work == nil { work = Device.makeWork(device, in: context) }
    try work!.start([model])
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    try work?.renderFirst(model)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    try work?.wake(wake)
  }

  public var isAtRest: Bool { work?.isAtRest() ?? true }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try device.chip.watchForReturn(watcher)
  }

  public mutating func stop() {
    work?.stop()
  }

  public func refusal(of event: Event) -> String? { device.refusal(of: event) }
}
