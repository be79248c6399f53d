import CycleCore
import HardwareDrivers

/// A simulated device whose numbers a program reads by the device's protocol, byte for byte.
public protocol SimulatedNumberDevice: AnyObject {
  /// The place of a number in the device, such as a register.
  associatedtype Place: Hashable

  /// The numbers that the world has set.
  var state: SimulatedNumbers<Place> { get }
  /// Whether the device has power and is connected.
  var isPlugged: Bool { get set }
  /// Whether the device and its line or bus are there.
  var isReachable: Bool { get }

  /// Changes the content of the device, so that the number at a place is this one, or the nearest possible one.
  func show(_ number: Double, of place: Place)
  /// The number that the content of the device gives; nil for none.
  func shown(_ place: Place) -> Double?
}

/// The numbers of a simulated device that the world has set.
public final class SimulatedNumbers<Place: Hashable> {
  fileprivate var numbers: [Place: Double] = [:]
  /// The places without a first number.
  fileprivate var silent: Set<Place> = []
  /// In the order of their addition, so that two runs are the same.
  private var listeners: [(place: Place, changed: () -> Void)] = []
  /// The number of changes.
  fileprivate private(set) var changeCount = 0

  public init() {}

  fileprivate func onChange(of place: Place, _ changed: @escaping () -> Void) {
    listeners.removeAll { $0.place == place }
    listeners.append((place, changed))
  }

  fileprivate func noteChange(of place: Place) {
    changeCount += 1
    for listener in listeners where listener.place == place { listener.changed() }
  }

  /// Makes the program read all numbers again: the device was unplugged or plugged in.
  public func noteChange() {
    changeCount += 1
    for listener in listeners { listener.changed() }
  }
}

/// One number of a ``SimulatedNumberDevice``: the program reads it by the protocol of the device, and the world sets it.
///
///     let voltage = SimulatedDeviceNumber(bus.source(of: register), meter, register)
///     voltage.set(230.1)
///
/// **Time.** A reading takes no time: the number of the world is read at the moment of its change. The protocol has a
/// clock of its own, on which it waits for replies.
///
/// **Resolution.** The content of the device is the nearest one that it can have. Unless the bytes are damaged on their
/// way, the program gets the number of the world itself.
public final class SimulatedDeviceNumber<Device: SimulatedNumberDevice>: NumberSource {
  private let source: any NumberSource
  public let device: Device
  private let place: Device.Place
  private let conversion: (Double) -> Double
  private let inverse: (Double) -> Double
  private let forget: () -> Void
  private var seenChanges = 0

  /// - Parameters:
  ///   - source: reads the number by the protocol of the device.
  ///   - device: the device.
  ///   - place: the place of the number in the device.
  ///   - conversion: converts the number of the device to that of the source.
  ///   - inverse: converts it back.
  ///   - forget: called before the first reading after a change, for a source that shares measurements.
  public init(
    _ source: any NumberSource, _ device: Device, _ place: Device.Place,
    conversion: @escaping (Double) -> Double = { $0 }, inverse: @escaping (Double) -> Double = { $0 },
    forget: @escaping () -> Void = {}
  ) {
    (self.source, self.device, self.place) = (source, device, place)
    (self.conversion, self.inverse, self.forget) = (conversion, inverse, forget)
  }

  // MARK: - The world's side

  /// Sets the number.
  public func set(_ number: Double) {
    device.state.silent.remove(place)
    device.state.numbers[place] = number
    device.show(inverse(number), of: place)
    device.state.noteChange(of: place)
  }

  /// Takes the device away, with all its numbers.
  public func unplug() {
    device.state.silent.remove(place)
    device.isPlugged = false
  }

  /// Connects the device again, with its previous numbers.
  public func plug() {
    device.state.silent.remove(place)
    device.isPlugged = true
    device.state.noteChange(of: place)
  }

  /// Removes the number until it is set, like that of a slow sensor before its first reading.
  public func silence() {
    device.state.silent.insert(place)
    device.state.numbers[place] = nil
  }

  // MARK: - The program's side

  public var name: String { source.name }
  public var unit: String { source.unit }
  public var needsThread: Bool { false }
  public var refusal: DriverError? { source.refusal }

  public func onChange(_ changed: @escaping () -> Void) { device.state.onChange(of: place, changed) }

  public func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    let fault = NumberErrorFactory(source.name)
    if device.state.silent.contains(place), device.isReachable { throw fault.unread() }
    if seenChanges != device.state.changeCount {
      seenChanges = device.state.changeCount
      forget()
    }
    let number = try source.readNumber(on: .ofWorker(at: clock.now))
    // Some devices can't be missed by their protocol: the line of SPI without a device reads zeros.
    guard device.isReachable else { throw fault.unplugged() }
    guard let known = device.state.numbers[place], let shown = device.shown(place), conversion(shown) == number else {
      return number
    }
    return known
  }

  public func close() { source.close() }
}
