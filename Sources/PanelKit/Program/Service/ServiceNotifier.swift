import CycleCore
import Terminal

/// The reports of a panel to the service manager: that it is ready, its status, and watchdog signals.
struct ServiceNotifier {
  /// The minimum time between two status reports.
  static let shortest = Duration.seconds(1)

  private let send: (String) -> Void
  /// The time between two watchdog signals; nil for none.
  private let interval: Duration?
  private var nextSign: Moment?
  /// The last status that was reported, and its time.
  private var told: (status: String, moment: Moment)?
  /// Whether the status may have changed since then.
  private var isStale = false
  private var lastDelivered: [Int] = []

  /// - Parameters:
  ///   - watchdog: the manager's watchdog timeout; nil for no watchdog. Signals are sent at half of it.
  ///   - send: sends a datagram.
  init(watchdog: Duration?, send: @escaping (String) -> Void) {
    interval = watchdog.map { $0 / 2 }
    self.send = send
  }

  /// Reports that the panel shows its first frame.
  mutating func begin(_ status: String, at now: Moment) {
    send("READY=1\nSTATUS=\(visible(status))")
    told = (status, now)
    nextSign = interval.map { now + $0 }
  }

  /// Notes that the status may have changed.
  mutating func change() { isStale = true }

  /// The moment at which ``turn(at:lanes:status:)`` must be called at the latest; nil for no limit.
  var nextMoment: Moment? {
    let status = isStale ? told.map { $0.moment + Self.shortest } : nil
    return [status, nextSign].compactMap { $0 }.min()
  }

  /// Sends the due reports. Called after each turn of the cycle, so a cycle that hangs sends no watchdog signal.
  ///
  /// - Parameters:
  ///   - now: the time of the loop's clock.
  ///   - lanes: the numbers of pending and reduced events in each lane.
  ///   - status: the current status in one line.
  mutating func turn(
    at now: Moment, lanes: @autoclosure () -> [LaneEventCounts], status: @autoclosure () -> String
  ) {
    if isStale, let told, now - told.moment >= Self.shortest {
      isStale = false
      let status = status()
      self.told = (status, now)
      if status != told.status { send("STATUS=\(visible(status))") }
    }
    guard let nextSign, let interval, now >= nextSign else { return }
    let lanes = lanes()
    let isStuck = lanes.enumerated().contains { place, lane in
      lane.pending > 0 && lastDelivered.indices.contains(place) && lane.delivered == lastDelivered[place]
    }
    lastDelivered = lanes.map(\.delivered)
    // If a lane with pending events has made no progress, no signal is sent, and the manager restarts the panel.
    if !isStuck { send("WATCHDOG=1") }
    self.nextSign = now + interval
  }

  /// Reports that the panel is stopping.
  func end() { send("STOPPING=1") }
}
