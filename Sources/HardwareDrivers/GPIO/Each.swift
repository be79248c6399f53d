import CycleCore

/// Many devices of one kind as one driver: their lines are requested together, and what changes in one frame is written
/// in one call.
///
///     Lens(Each([Button(chip, line: "GPIO17"), Button(chip, line: "GPIO22")]), on: { frame, event, _, _ in
///       if case .device(let number, .pressed) = event { frame.presses[number] += 1 }
///     })
///
/// At most 64 lines, all on the chip of the first device.
public struct Each<Element: LineDriver>: Driver {
  /// A model for each device, in their order.
  public typealias Model = [Element.Model]

  public enum Event: Sendable {
    /// An event of one device; devices are numbered from 0.
    case device(Int, Element.Event)
    /// Trouble that all of them have: they hold their lines together.
    case trouble(Trouble)
  }

  private let devices: [Element.Device]
  private let chip: (any GPIOChip)?
  private var work: EachAtWork<Element.Model>?

  /// - Parameter elements: any number; with none, the driver has nothing to do.
  public init(_ elements: [Element]) {
    devices = elements.map(\.device)
    chip = elements.first?.chip
  }

  public var safeModel: Model { devices.map(\.safeModel) }

  public static func event(for trouble: Trouble) -> Event? { .trouble(trouble) }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    guard let chip else { return }
    work = try Element.start(devices, on: chip, showing: model, in: context)
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    try work?.render(model, previous)
  }

  public mutating func wake(_ wake: Wake) {
    work?.wake(wake)
  }

  public mutating func stop() {
    work?.stop()
    work = nil
  }
}

extension Each.Event: Equatable where Element.Event: Equatable {}

extension Lens {
  /// A lens of devices that only listen.
  @inlinable
  public init<Element: LineDriver>(_ devices: Each<Element>, on: @escaping EventFilter)
  where D == Each<Element>, Element.Model == NoModel {
    self.init(devices, showing: devices.safeModel, on: on)
  }
}
