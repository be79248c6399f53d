import CycleCore
import Glibc
import HardwareDrivers

/// Sends a request to each of several panels at the same time: a panel that hangs doesn't delay the others.
package enum ControlClientGroup {
  /// The milliseconds until a connection is tried again that found the queue full.
  static let pause: Int32 = 20

  /// The outcome of a request.
  package enum Outcome {
    case answered(ControlClient.Answer)
    /// No program listens there.
    case absent
    /// The answer did not arrive in time.
    case silent
    case failed(DriverError)
  }

  private enum Progress {
    case connecting
    case sending
    case receiving
  }

  /// Sends all requests, and waits for the answers.
  ///
  /// - Parameters:
  ///   - requests: each with the path of the panel's socket.
  ///   - span: the time limit for all answers together.
  /// - Returns: the outcomes, in the order of the requests.
  package static func ask(
    _ requests: [(path: String, request: String)], within span: Duration = ControlClient.patience
  ) -> [Outcome] {
    let end = ContinuousClock.now + span
    var outcomes = requests.map { _ in Outcome.silent }
    var open: [(place: Int, client: ControlClient, progress: Progress)] = []
    for (place, request) in requests.enumerated() {
      do throws(DriverError) {
        open.append((place, try ControlClient(notYetConnectedTo: request.path), .connecting))
      } catch {
        outcomes[place] = .failed(error)
      }
    }
    while !open.isEmpty {
      for index in open.indices.reversed() {
        let place = open[index].place
        do throws(DriverError) {
          guard let outcome = try advance(open[index].client, &open[index].progress, requests[place].request) else {
            continue
          }
          outcomes[place] = outcome
        } catch {
          outcomes[place] = .failed(error)
        }
        open.remove(at: index)
      }
      guard !open.isEmpty, let rest = milliseconds(until: end) else { break }
      wait(for: open.map { ($0.client, $0.progress) }, atMost: rest)
    }
    return outcomes
  }

  /// Continues a request without waiting; returns nil if it is not finished.
  private static func advance(
    _ client: ControlClient, _ progress: inout Progress, _ request: String
  ) throws(DriverError) -> Outcome? {
    if progress == .connecting {
      switch try client.connect() {
      case .later: return nil
      case .absent: return .absent
      case .done:
        client.begin(request)
        progress = .sending
      }
    }
    if progress == .sending {
      guard try client.sendRest() else { return nil }
      progress = .receiving
    }
    try client.receive()
    return try client.takeAnswer().map(Outcome.answered)
  }

  private static func wait(for clients: [(client: ControlClient, progress: Progress)], atMost milliseconds: Int32) {
    var limit = milliseconds
    var polled: [Glibc.pollfd] = []
    for (client, progress) in clients {
      switch progress {
      case .connecting: limit = min(limit, pause)
      case .sending: polled.append(pollfd(client.descriptor, POLLOUT))
      case .receiving: polled.append(pollfd(client.descriptor, POLLIN))
      }
    }
    poll(&polled, nfds_t(polled.count), limit)
  }

  /// The milliseconds until a moment; nil if it has passed.
  static func milliseconds(until end: ContinuousClock.Instant) -> Int32? {
    let rest = (end - ContinuousClock.now).wholeNanoseconds
    return rest > 0 ? Int32(clamping: rest / 1_000_000 + 1) : nil
  }

  static func pollfd(_ descriptor: Int32, _ event: Int32) -> Glibc.pollfd {
    Glibc.pollfd(fd: descriptor, events: Int16(event), revents: 0)
  }
}
