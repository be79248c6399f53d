import CycleCore

// A device is no driver: these make its lens of a `LineDriver`, so that an application names the device alone.

extension Lens {
  /// A lens of a device on lines.
  @inlinable
  public init<Device: LineDevice>(
    _ device: Device, name: String? = nil, show: @escaping FrameFilter, on: @escaping EventFilter,
    trouble: TroubleFilter? = nil, safe: Device.Model? = nil, isRequired: Bool = false
  ) where D == LineDriver<Device> {
    // `self.init` would do, but compilers up to 6.0 take that for a copy of the lens.
    self = Lens(
      LineDriver(device), name: name ?? String(describing: Device.self), show: show, on: on, trouble: trouble,
      safe: safe, isRequired: isRequired)
  }

  /// A lens of a device on lines that only listens.
  @inlinable
  public init<Device: LineDevice>(
    _ device: Device, name: String? = nil, on: @escaping EventFilter, trouble: TroubleFilter? = nil,
    isRequired: Bool = false
  ) where D == LineDriver<Device>, Device.Model == NoModel {
    // `self.init` would do, but compilers up to 6.0 take that for a copy of the lens.
    self = Lens(
      LineDriver(device), name: name ?? String(describing: Device.self), on: on, trouble: trouble,
      isRequired: isRequired)
  }

  /// A lens of a device on lines, with an event filter that looks back.
  @inlinable
  public init<Device: LineDevice>(
    _ device: Device, name: String? = nil, show: @escaping FrameFilter, on: @escaping PastEventFilter,
    trouble: TroubleFilter? = nil, safe: Device.Model? = nil, isRequired: Bool = false
  ) where D == LineDriver<Device> {
    // `self.init` would do, but compilers up to 6.0 take that for a copy of the lens.
    self = Lens(
      LineDriver(device), name: name ?? String(describing: Device.self), show: show, on: on, trouble: trouble,
      safe: safe, isRequired: isRequired)
  }

  /// A lens of a device on lines that only listens, with an event filter that looks back.
  @inlinable
  public init<Device: LineDevice>(
    _ device: Device, name: String? = nil, on: @escaping PastEventFilter, trouble: TroubleFilter? = nil,
    isRequired: Bool = false
  ) where D == LineDriver<Device>, Device.Model == NoModel {
    // `self.init` would do, but compilers up to 6.0 take that for a copy of the lens.
    self = Lens(
      LineDriver(device), name: name ?? String(describing: Device.self), on: on, trouble: trouble,
      isRequired: isRequired)
  }

  /// A lens of a device on lines that only shows, or whose events don't matter to the application.
  @inlinable
  public init<Device: LineDevice>(
    _ device: Device, name: String? = nil, show: @escaping FrameFilter, trouble: TroubleFilter? = nil,
    safe: Device.Model? = nil, isRequired: Bool = false
  ) where D == LineDriver<Device> {
    // `self.init` would do, but compilers up to 6.0 take that for a copy of the lens.
    self = Lens(
      LineDriver(device), name: name ?? String(describing: Device.self), show: show, trouble: trouble, safe: safe,
      isRequired: isRequired)
  }
}

extension LensList where Element: ~Copyable {
  /// Lenses of many devices of one kind, on any number of chips, with any number of lines: as few requests as that takes. What changes in
  /// one frame is written in one call for each of them, and a chip that goes away takes no device of another chip with it.
  ///
  ///     LensList(each: buttons, on: { frame, event in
  ///       if case .device(let number, .pressed) = event { frame.presses[number] += 1 }
  ///     })
  ///
  /// - Parameters:
  ///   - devices: any number, each of at most 64 lines; none of them cost nothing.
  ///   - show: a model for each device, in their order.
  ///   - safe: what each of them shows when the application ends; its own safe model if nil.
  @inlinable
  public init<Frame, Device: LineDevice>(
    each devices: [Device], name: String? = nil, show: @escaping (Frame) -> [Device.Model],
    on: @escaping Lens<Frame, Each<Device>>.EventFilter = { _, _ in },
    trouble: Lens<Frame, Each<Device>>.TroubleFilter? = nil, safe: [Device.Model]? = nil, isRequired: Bool = false
  ) where Element == Lens<Frame, Each<Device>> {
    let parts = DeviceParts(devices)
    self.init(count: parts.count) { index in
      Lens(
        parts.driver(index), name: name ?? String(describing: Device.self), show: parts.filter(index, of: show), on: on,
        trouble: trouble, safe: safe.map { DeviceParts<Device>.pick(parts.places(index), of: $0) },
        isRequired: isRequired)
    }
  }

  /// Lenses of many devices of one kind, with an event filter that looks back.
  @inlinable
  public init<Frame, Device: LineDevice>(
    each devices: [Device], name: String? = nil, show: @escaping (Frame) -> [Device.Model],
    on: @escaping Lens<Frame, Each<Device>>.PastEventFilter,
    trouble: Lens<Frame, Each<Device>>.TroubleFilter? = nil, safe: [Device.Model]? = nil, isRequired: Bool = false
  ) where Element == Lens<Frame, Each<Device>> {
    let parts = DeviceParts(devices)
    self.init(count: parts.count) { index in
      Lens(
        parts.driver(index), name: name ?? String(describing: Device.self), show: parts.filter(index, of: show), on: on,
        trouble: trouble, safe: safe.map { DeviceParts<Device>.pick(parts.places(index), of: $0) },
        isRequired: isRequired)
    }
  }

  /// Lenses of many devices of one kind that only listen.
  @inlinable
  public init<Frame, Device: LineDevice>(
    each devices: [Device], name: String? = nil, on: @escaping Lens<Frame, Each<Device>>.EventFilter,
    trouble: Lens<Frame, Each<Device>>.TroubleFilter? = nil, isRequired: Bool = false
  ) where Element == Lens<Frame, Each<Device>>, Device.Model == NoModel {
    let parts = DeviceParts(devices)
    self.init(count: parts.count) { index in
      Lens(
        parts.driver(index), name: name ?? String(describing: Device.self),
        showing: parts.places(index).map { _ in NoModel() }, on: on, trouble: trouble,
        isRequired: isRequired)
    }
  }

  /// Lenses of many devices of one kind that only listen, with an event filter that looks back.
  @inlinable
  public init<Frame, Device: LineDevice>(
    each devices: [Device], name: String? = nil, on: @escaping Lens<Frame, Each<Device>>.PastEventFilter,
    trouble: Lens<Frame, Each<Device>>.TroubleFilter? = nil, isRequired: Bool = false
  ) where Element == Lens<Frame, Each<Device>>, Device.Model == NoModel {
    let parts = DeviceParts(devices)
    self.init(count: parts.count) { index in
      Lens(
        parts.driver(index), name: name ?? String(describing: Device.self),
        showing: parts.places(index).map { _ in NoModel() }, on: on, trouble: trouble,
        isRequired: isRequired)
    }
  }
}

/// Devices of one kind, parted into those that go into one request.
public struct DeviceParts<Device: LineDevice> {
  private let devices: [Device]
  private let parts: [[Int]]

  public init(_ devices: [Device]) {
    self.devices = devices
    parts = Each.shares(of: devices)
  }

  public var count: Int { parts.count }

  /// The numbers of a part's devices.
  public func places(_ part: Int) -> [Int] { parts[part] }

  public func driver(_ part: Int) -> Each<Device> { Each(parts[part].map { devices[$0] }, numbers: parts[part]) }

  /// What a part shows of a frame. The only part shows all models as they are: to pick them would allocate at every frame.
  public func filter<Frame>(
    _ part: Int, of show: @escaping (Frame) -> [Device.Model]
  ) -> (Frame) -> [Device.Model] {
    guard count > 1 else { return show }
    let places = places(part)
    return { frame in Self.pick(places, of: show(frame)) }
  }

  public static func pick(_ places: [Int], of models: [Device.Model]) -> [Device.Model] { places.map { models[$0] } }
}

extension LineGroup where Device.Event == Never {
  /// A group of devices that only show.
  public convenience init(_ devices: [Device], in context: DriverContext<Event>) {
    self.init(devices, in: context, event: { _, _ in preconditionFailure("there are no events") })
  }
}
