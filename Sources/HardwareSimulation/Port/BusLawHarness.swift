import CycleCore
import HardwareDrivers

/// The ``LawHarness`` of a driver on a simulated bus and its devices.
///
///     setup: { bench in
///       let bus = SimulatedI2CBus(bench)
///       let socket = bus.connect(SimulatedRegisters(), at: 0x48)
///       return BusLawHarness(bus, plug: { socket.isPlugged = $0 }, stimulate: { try $0.advance(by: .seconds(2)) })
///     }
public final class BusLawHarness<Bus: SimulatedBus>: LawHarness {
  public var bench: Bench { bus.bench }
  public let bus: Bus
  public let settlingTime: Duration
  public let hasPicture: Bool
  public let showsFromStart: Bool
  /// A bus stamps nothing: events get the moments of the transfers.
  public let stampsEvents = false
  public let wakesAtRest: Bool
  public let repeatsWrites: Bool
  private let setPlugged: (Bool) -> Void
  private let draw: () -> String
  private let complain: () -> [String]
  private let act: (Bench) throws(DriverError) -> Void

  /// - Parameters:
  ///   - bus: the bus, with the driver's devices connected.
  ///   - plug: unplugs (false) or plugs in (true) the hardware that the laws remove; default: the adapter.
  ///   - picture: describes the visible state of the hardware; nil if nothing of a model is visible, for example if the
  ///     model only configures a measurement.
  ///   - showsFromStart: whether the hardware shows the model of the first frame as soon as the driver has started;
  ///     false if a worker opens it later.
  ///   - isPolled: whether the driver reads or writes at intervals, and so wakes while nothing happens.
  ///   - repeatsTransfers: whether the driver repeats a failed transfer immediately, so that a single failure needs no
  ///     report. The hardware must show the model nevertheless.
  ///   - settlingTime: the time that the hardware takes to show a model.
  ///   - faults: the violations of data sheets that the hardware has recorded.
  ///   - stimulate: makes the driver emit events; default: nothing.
  public init(
    _ bus: Bus, plug: ((_ isPlugged: Bool) -> Void)? = nil, picture: (() -> String)? = nil,
    showsFromStart: Bool = true, isPolled: Bool = false, repeatsTransfers: Bool = false,
    settlingTime: Duration = .milliseconds(100),
    faults: @escaping () -> [String] = { [] },
    stimulate: @escaping (Bench) throws(DriverError) -> Void = { _ throws(DriverError) in }
  ) {
    self.bus = bus
    self.settlingTime = settlingTime
    hasPicture = picture != nil
    self.showsFromStart = showsFromStart
    wakesAtRest = isPolled
    repeatsWrites = repeatsTransfers
    setPlugged = plug ?? { $0 ? bus.plug() : bus.unplug() }
    draw = picture ?? { "" }
    complain = faults
    act = stimulate
  }

  public var names: [String] { bus.deviceNames }
  public var writeCount: Int { bus.transferCount }
  public var heldCount: Int { bus.openCount }
  public var picture: String { draw() }
  public var faults: [String] { complain() }

  private var failure: DriverError {
    DriverError(
      .failed, of: names.joined(separator: ", "), cannot: "write to \(names.joined(separator: ", ")) on \(bus.name)",
      reason: "input/output error (EIO)",
      remedy: "This failure was asked for.")
  }

  public func failNextRequest() -> Bool {
    bus.nextOpenError = failure
    return true
  }

  public func failWrite(after count: Int?) -> Bool { failWrite(after: count, takesEffect: false) }

  public func failWriteWithEffect(after count: Int?) -> Bool { failWrite(after: count, takesEffect: true) }

  private func failWrite(after count: Int?, takesEffect: Bool) -> Bool {
    bus.failedTransfersTakeEffect = takesEffect
    bus.nextTransferError = count.map { _ in failure }
    bus.transfersBeforeError = count ?? 0
    return true
  }

  public func failWrites(_ fail: Bool) -> Bool {
    bus.failedTransfersTakeEffect = false
    bus.lastingTransferError = fail ? failure : nil
    return true
  }

  public func watchOutputs() -> () -> String? {
    let log = PictureLog(self)
    bus.onTransaction { log.note() }
    return { log.end() }
  }

  public func onAccess(_ listener: @escaping () -> Void) { bus.onTransaction(listener) }

  public func unplug() -> Bool {
    setPlugged(false)
    return true
  }

  public func plug() { setPlugged(true) }

  public func stimulate() throws(DriverError) { try act(bench) }
}
