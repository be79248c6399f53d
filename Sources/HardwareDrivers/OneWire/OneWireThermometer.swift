import CycleCore

/// A thermometer on a 1-wire bus: DS18B20, DS18S20, DS1822, DS1825 and their like.
///
/// **Wiring.** The data wire to GPIO4 (or the pin that the overlay `w1-gpio` sets), with 4.7 kΩ to 3.3 V. Supply the
/// sensor with 3.3 V on a separate wire: readings can fail if it takes its power from the data wire. Several sensors
/// share the three wires.
///
/// **Timing.** A reading takes 94 ms at 9 bits, 188, 375, or 750 ms at 12, on a thread of its own; sensors on one bus
/// are read one after the other. A measurement has the moment at which its reading ended. If a sensor is absent, also
/// at the start, or gives a wrong answer, that is reported as trouble, and reading is retried after 1 s, 2 s … 60 s,
/// but never later than after the interval. A reading that doesn't end within 5 s is reported as trouble until it ends.
///
/// **Source.** Maxim DS18B20, 19-7487 rev. 6; kernel document `w1/slaves/w1_therm`.
///
///     Lens(OneWireThermometer(LinuxOneWireSensor("28-0316a2f1e4ff")), on: { frame, event in
///       if case .measured(let temperature) = event { frame.celsius = temperature.celsius }
///     })
public struct OneWireThermometer: Driver {
  public struct Settings: Equatable, Sendable {
    /// The time from the start of one reading to the start of the next. A sensor in air takes longer than 10 s to
    /// follow a change, and each reading warms it.
    public var interval: Duration
    /// 9 to 12 bits; nil keeps the sensor's resolution, which is 12 unless it was changed. Setting it usually requires
    /// root.
    public var resolution: Int?

    public init(interval: Duration = .seconds(10), resolution: Int? = nil) {
      precondition(interval >= .zero, "an interval is not negative")
      precondition(resolution.map { (9...12).contains($0) } ?? true, "a resolution is 9 to 12 bits")
      self.interval = interval
      self.resolution = resolution
    }
  }

  public enum Event: Equatable, Sendable {
    case measured(Temperature)
  }

  public typealias Model = NoModel

  private let sensor: any OneWireSensor
  private let settings: Settings
  private var context: DriverContext<Event>!
  private var worker: Worker<OneWireWork>!
  private var alarms: Alarms!
  /// The trouble that was last reported to the application and is not restored yet.
  private var told: Trouble?

  /// How long after its due moment a reading may still be running.
  private static let patience = Duration.seconds(5)

  /// Doesn't open the sensor.
  public init(_ sensor: any OneWireSensor, settings: Settings = Settings()) {
    self.sensor = sensor
    self.settings = settings
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    told = nil
    let alarms = Alarms(context, silence: context.now + Self.patience)
    self.alarms = alarms
    worker = try Worker(
      OneWireWork(sensor, settings), for: "the thermometer", onThread: sensor.needsThread, in: context,
      alarm: { alarms.work = $0 })
    do throws(DriverError) {
      try worker.waitForRequiredStart(\.error)
    } catch {
      stop()
      throw error
    }
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    worker.wake(wake) { context.emit(.measured($0), at: $1) }
    let state = worker.state
    alarms.note(state.due, patience: Self.patience)
    var trouble: Trouble?
    if let deadline = alarms.silence, deadline <= context.now {
      trouble = .failed(OneWireFault(sensor: state.sensor).silent(for: Self.patience))
      // The deadline is set again when the work schedules its next reading.
      alarms.endSilence()
    } else if alarms.isOverdue {
      trouble = told
    } else if let error = state.error {
      trouble = error.kind == .absent || error.kind == .lost ? .lost(error) : .failed(error)
    } else if let refusal = state.refusal {
      trouble = .failed(refusal)
    }
    tell(trouble)
  }

  private mutating func tell(_ trouble: Trouble?) {
    guard trouble != told else { return }
    // The sensor is back, so its loss is restored first, although it has another fault now.
    if case .lost = told, case .failed = trouble { context.report(.restored) }
    told = trouble
    context.report(trouble ?? .restored)
  }

  public mutating func stop() {
    alarms?.silence = nil
    worker?.stop()
  }

  /// Sets the driver's alarm to the earlier of two moments: the work's next step, if it has no thread, and the deadline
  /// of a reading.
  private final class Alarms {
    private let context: DriverContext<Event>
    var work: Moment? { didSet { set() } }
    /// The deadline of the current or next reading; nil for none.
    var silence: Moment? {
      didSet {
        isOverdue = false
        set()
      }
    }
    private(set) var isOverdue = false
    private var due: Moment?

    init(_ context: DriverContext<Event>, silence: Moment) {
      self.context = context
      self.silence = silence
      set()
    }

    /// Sets the deadline of the reading that is due at this moment.
    func note(_ due: Moment?, patience: Duration) {
      guard let due, due != self.due else { return }
      self.due = due
      silence = due + patience
    }

    func endSilence() {
      silence = nil
      isOverdue = true
    }

    private func set() {
      let earliest = min(work ?? .distantFuture, silence ?? .distantFuture)
      context.setAlarm(earliest == .distantFuture ? nil : earliest)
    }
  }
}
