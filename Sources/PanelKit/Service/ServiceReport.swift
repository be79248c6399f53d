import CycleCore
import Terminal

/// What a panel tells the manager of services, and when: that it is ready, what it is doing, and signs of life.
struct ServiceReport {
  /// How often the status is told at most.
  static let shortest = Duration.seconds(1)

  private let tell: (String) -> Void
  /// How long after a sign of life the next one comes; nil for none.
  private let interval: Duration?
  private var nextSign: Moment?
  /// What was told last, and when.
  private var told: (status: String, moment: Moment)?
  /// Whether something may have changed since.
  private var isStale = false
  private var lastDelivered: [Int] = []

  /// - Parameters:
  ///   - watchdog: how soon one sign of life has to follow another; nil if none is asked for. They come at half of it.
  ///   - tell: sends a datagram.
  init(watchdog: Duration?, tell: @escaping (String) -> Void) {
    interval = watchdog.map { $0 / 2 }
    self.tell = tell
  }

  /// The panel shows its first frame.
  mutating func begin(_ status: String, at now: Moment) {
    tell("READY=1\nSTATUS=\(visible(status))")
    told = (status, now)
    nextSign = interval.map { now + $0 }
  }

  /// Something has happened that the status may tell.
  mutating func change() { isStale = true }

  /// When ``turn(at:lanes:status:)`` has to be called if nothing happens before; nil if it hasn't.
  var nextMoment: Moment? {
    let status = isStale ? told.map { $0.moment + Self.shortest } : nil
    return [status, nextSign].compactMap { $0 }.min()
  }

  /// Tells what is due. Called after each turn of the cycle: one that hangs is followed by no sign of life.
  ///
  /// - Parameters:
  ///   - now: the loop's clock.
  ///   - lanes: how many events of each lane wait, and how many have been reduced.
  ///   - status: what the panel is doing, in a line.
  mutating func turn(
    at now: Moment, lanes: @autoclosure () -> [LaneAccount], status: @autoclosure () -> String
  ) {
    if isStale, let told, now - told.moment >= Self.shortest {
      isStale = false
      let status = status()
      self.told = (status, now)
      if status != told.status { tell("STATUS=\(visible(status))") }
    }
    guard let nextSign, let interval, now >= nextSign else { return }
    let lanes = lanes()
    let isStuck = lanes.enumerated().contains { place, lane in
      lane.pending > 0 && lastDelivered.indices.contains(place) && lane.delivered == lastDelivered[place]
    }
    lastDelivered = lanes.map(\.delivered)
    // Without an answer of each lane there is none, and the manager starts the panel anew.
    if !isStuck { tell("WATCHDOG=1") }
    self.nextSign = now + interval
  }

  /// The panel begins to end.
  func end() { tell("STOPPING=1") }
}
