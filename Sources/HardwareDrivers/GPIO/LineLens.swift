import CycleCore

// A device is not a driver: these initializers wrap it in a `LineDriver`, so that an application names only the device.

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

  /// A lens of a device on lines without a model.
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

  /// A lens of a device on lines, with an event filter that also gets the history.
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

  /// A lens of a device on lines without a model, with an event filter that also gets the history.
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

  /// A lens of a device on lines without events, or whose events don't matter to the application.
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

/// A device that is always in one of several positions, like a switch.
///
/// Its position at the start is not an event, and an application that doesn't read it begins with a wrong one. So its
/// lens takes a filter `found` in addition to `on`, and the compiler warns if it is missing.
public protocol PositionDevice: FoundDevice where Model == NoModel {}

extension Lens {
  /// A lens of a device with positions.
  ///
  ///     Lens(
  ///       Switch(chip, line: "GPIO27"),
  ///       found: { frame, position in frame.isMuted = position == .on },
  ///       on: { frame, event in frame.isMuted = event.isOn ?? frame.isMuted })
  ///
  /// `found` gets the event that leads to the position in which the device is found: before the first frame, or later
  /// for a contact that bounces or whose chip is not there yet.
  @inlinable
  public init<Device: PositionDevice>(
    _ device: Device, name: String? = nil, found: @escaping EventFilter, on: @escaping EventFilter,
    trouble: TroubleFilter? = nil, isRequired: Bool = false
  ) where D == LineDriver<Device> {
    self = Lens(
      LineDriver(device), name: name ?? String(describing: Device.self), on: on, trouble: trouble,
      isRequired: isRequired
    ).onFound(found)
  }

  /// A lens of a device with positions, with filters that also get the history.
  @inlinable
  public init<Device: PositionDevice>(
    _ device: Device, name: String? = nil, found: @escaping PastEventFilter, on: @escaping PastEventFilter,
    trouble: TroubleFilter? = nil, isRequired: Bool = false
  ) where D == LineDriver<Device> {
    self = Lens(
      LineDriver(device), name: name ?? String(describing: Device.self), on: on, trouble: trouble,
      isRequired: isRequired
    ).onFound(found)
  }

  // An unavailable initializer would not be chosen if a more general one is available.
  @available(
    *, deprecated,
    message:
      "the position at the start is not an event; add found: Lens(device, found: { frame, position in … }, on: …)"
  )
  public init<Device: PositionDevice>(
    _ device: Device, name: String? = nil, on: @escaping EventFilter, trouble: TroubleFilter? = nil,
    isRequired: Bool = false
  ) where D == LineDriver<Device> {
    self = Lens(LineDriver(device), name: name ?? "\(Device.self)", on: on, trouble: trouble, isRequired: isRequired)
  }

  @available(
    *, deprecated,
    message:
      "the position at the start is not an event; add found: Lens(device, found: { frame, position, past in … }, on: …)"
  )
  public init<Device: PositionDevice>(
    _ device: Device, name: String? = nil, on: @escaping PastEventFilter, trouble: TroubleFilter? = nil,
    isRequired: Bool = false
  ) where D == LineDriver<Device> {
    self = Lens(LineDriver(device), name: name ?? "\(Device.self)", on: on, trouble: trouble, isRequired: isRequired)
  }
}

extension LensList where Element: ~Copyable {
  /// Lenses of many devices of one kind, on any number of chips and lines, with as few requests as possible. The
  /// changes of one frame are written in one call for each request, and losing one chip doesn't affect the devices on
  /// the others.
  ///
  ///     LensList(each: buttons, on: { frame, event in
  ///       if event.event == .pressed { frame.presses[event.number] += 1 }
  ///     })
  ///
  /// - Parameters:
  ///   - devices: any number, each with at most 64 lines; an empty array makes no lens.
  ///   - show: returns a model for each device, in their order.
  ///   - safe: the models that are rendered when the application ends; each device's own safe model if nil.
  ///   - on: the event filter.
  ///   - isRequired: whether the application can't start without the hardware.
  ///   - name: the name of the lens in messages.
  ///   - trouble: the filter for trouble.
  @inlinable
  public init<Frame, Device: LineDevice>(
    each devices: [Device], name: String? = nil, show: @escaping (Frame) -> [Device.Model],
    on: @escaping Lens<Frame, LineDriverArray<Device>>.EventFilter = { _, _ in },
    trouble: Lens<Frame, LineDriverArray<Device>>.TroubleFilter? = nil, safe: [Device.Model]? = nil,
    isRequired: Bool = false
  ) where Element == Lens<Frame, LineDriverArray<Device>> {
    let parts = DeviceParts(devices)
    self.init(count: parts.count) { index in
      Lens(
        parts.driver(index), name: name ?? String(describing: Device.self), show: parts.filter(index, of: show), on: on,
        trouble: trouble, safe: safe.map { DeviceParts<Device>.pick(parts.places(index), of: $0) },
        isRequired: isRequired)
    }
  }

  /// Lenses of many devices of one kind, with an event filter that also gets the history.
  @inlinable
  public init<Frame, Device: LineDevice>(
    each devices: [Device], name: String? = nil, show: @escaping (Frame) -> [Device.Model],
    on: @escaping Lens<Frame, LineDriverArray<Device>>.PastEventFilter,
    trouble: Lens<Frame, LineDriverArray<Device>>.TroubleFilter? = nil, safe: [Device.Model]? = nil,
    isRequired: Bool = false
  ) where Element == Lens<Frame, LineDriverArray<Device>> {
    let parts = DeviceParts(devices)
    self.init(count: parts.count) { index in
      Lens(
        parts.driver(index), name: name ?? String(describing: Device.self), show: parts.filter(index, of: show), on: on,
        trouble: trouble, safe: safe.map { DeviceParts<Device>.pick(parts.places(index), of: $0) },
        isRequired: isRequired)
    }
  }

  /// Lenses of many devices of one kind without a model.
  @inlinable
  public init<Frame, Device: LineDevice>(
    each devices: [Device], name: String? = nil, on: @escaping Lens<Frame, LineDriverArray<Device>>.EventFilter,
    trouble: Lens<Frame, LineDriverArray<Device>>.TroubleFilter? = nil, isRequired: Bool = false
  ) where Element == Lens<Frame, LineDriverArray<Device>>, Device.Model == NoModel {
    let parts = DeviceParts(devices)
    self.init(count: parts.count) { index in
      Lens(
        parts.driver(index), name: name ?? String(describing: Device.self),
        showing: parts.places(index).map { _ in NoModel() }, on: on, trouble: trouble,
        isRequired: isRequired)
    }
  }

  /// Lenses of many devices of one kind without a model, with an event filter that also gets the history.
  @inlinable
  public init<Frame, Device: LineDevice>(
    each devices: [Device], name: String? = nil, on: @escaping Lens<Frame, LineDriverArray<Device>>.PastEventFilter,
    trouble: Lens<Frame, LineDriverArray<Device>>.TroubleFilter? = nil, isRequired: Bool = false
  ) where Element == Lens<Frame, LineDriverArray<Device>>, Device.Model == NoModel {
    let parts = DeviceParts(devices)
    self.init(count: parts.count) { index in
      Lens(
        parts.driver(index), name: name ?? String(describing: Device.self),
        showing: parts.places(index).map { _ in NoModel() }, on: on, trouble: trouble,
        isRequired: isRequired)
    }
  }
}

/// Devices of one kind, divided into parts of one request each.
public struct DeviceParts<Device: LineDevice> {
  private let devices: [Device]
  @usableFromInline let parts: [[Int]]

  public init(_ devices: [Device]) {
    self.devices = devices
    parts = LineDriverArray.shares(of: devices)
  }

  @inlinable
  public var count: Int { parts.count }

  /// The numbers of a part's devices.
  @inlinable
  public func places(_ part: Int) -> [Int] { parts[part] }

  public func driver(_ part: Int) -> LineDriverArray<Device> {
    LineDriverArray(parts[part].map { devices[$0] }, numbers: parts[part])
  }

  /// The frame filter of one part. A single part gets all models unchanged: picking them would allocate at every frame.
  // Inlinable, so that the filter is called directly by code that is compiled for its types.
  @inlinable
  public func filter<Frame>(
    _ part: Int, of show: @escaping (Frame) -> [Device.Model]
  ) -> (Frame) -> [Device.Model] {
    guard count > 1 else { return show }
    let places = places(part)
    return { frame in Self.pick(places, of: show(frame)) }
  }

  @inlinable
  public static func pick(_ places: [Int], of models: [Device.Model]) -> [Device.Model] { places.map { models[$0] } }
}

extension LineDeviceRunner where Device.Event == Never {
  /// A group of devices without events.
  public convenience init(_ devices: [Device], in context: DriverContext<Event>) {
    self.init(devices, in: context, event: { _, _ in preconditionFailure("there are no events") })
  }
}
