import CycleCore
import Glibc
import HardwareDrivers

/// One connection to a broker, as a test whether a client can use it. It checks the name, the connection, the
/// certificate, user and password, and whether a message that the client publishes is sent back to it. It leaves
/// nothing at the broker.
package struct BrokerTrial: Sendable {
  /// The results of a connection that the broker has accepted.
  package struct Findings: Equatable, Sendable {
    /// The messages that the broker keeps on the requested topics.
    package var retained: [String: String] = [:]
    /// Whether the broker has sent the message back.
    package var isEchoed = false
    /// The number of days for which the broker's certificate is still valid; nil without encryption.
    package var certificateDays: Int?
    /// The first messages that were too long to be read.
    package var oversized: [OversizedMessage] = []

    package init(
      retained: [String: String] = [:], isEchoed: Bool = false, certificateDays: Int? = nil,
      oversized: [OversizedMessage] = []
    ) {
      (self.retained, self.isEchoed, self.certificateDays) = (retained, isEchoed, certificateDays)
      self.oversized = oversized
    }
  }

  /// The time limit of the name server, and then of the broker.
  private static let patience = Duration.seconds(4)
  /// The time limit for the message to be sent back.
  private static let echoPatience = Duration.seconds(2)

  /// The maximum number of messages in ``Findings/oversized``.
  private static let mostOversized = 5

  private let address: BrokerConnectionSettings
  private let client: String
  private let topics: [String]
  private let echo: String

  /// - Parameters:
  ///   - address: the broker's address.
  ///   - client: an identifier that no other client has: the broker disconnects a client with the same one.
  ///   - topics: the topics whose retained messages are read.
  ///   - echo: the topic on which a message is published, which the broker doesn't keep.
  package init(of address: BrokerConnectionSettings, as client: String, reading topics: [String], echo: String) {
    (self.address, self.client, self.topics, self.echo) = (address, client, topics, echo)
  }

  private typealias Outcome = Result<Findings, DriverError>

  /// The progress of the trial's thread.
  private final class Progress: @unchecked Sendable {
    private let changed = ConditionVariable()
    // Used with the condition locked.
    private var isNamed = false
    private var outcome: Outcome?

    func noteName() {
      changed.locked {
        isNamed = true
        changed.broadcast()
      }
    }

    func finish(_ outcome: Outcome) {
      changed.locked {
        self.outcome = outcome
        changed.broadcast()
      }
    }

    /// Waits until the name is known or the trial is over, at most for a time span. Returns false if the time is over
    /// first.
    func waitForName(atMost span: Duration) -> Bool {
      let end = ConditionVariable.now + span
      return changed.locked {
        while !isNamed, outcome == nil { guard changed.wait(until: end) else { break } }
        return isNamed || outcome != nil
      }
    }

    /// Waits until the trial is over.
    func waitForOutcome() -> Outcome {
      changed.locked {
        while true {
          if let outcome { return outcome }
          changed.wait()
        }
      }
    }
  }

  /// Makes the connection, and ends it. Takes 10 s at most. Calls `pthread_create`: a name server that doesn't answer
  /// blocks a separate thread, which continues to run then.
  package func run() throws(DriverError) -> Findings {
    let progress = Progress()
    do throws(SystemThread.Refusal) {
      try SystemThread { progress.finish(attempt(progress)) }.detach()
    } catch {
      throw unable(SystemFailure(function: "pthread_create", number: error.code))
    }
    guard progress.waitForName(atMost: Self.patience) else {
      throw DriverError(
        .absent, of: address.text, cannot: "reach \(address.text)",
        reason: "the name server does not answer for \(address.host)",
        remedy: "Check the network and /etc/resolv.conf, or write the broker's address instead of its name.")
    }
    // The thread ends by itself: all its waits have a limit.
    return try progress.waitForOutcome().get()
  }

  private func unable(_ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind, of: address.text, cannot: "reach \(address.text)", reason: failure.reason, cause: failure.cause,
      remedy: "Try again while fewer programs run.")
  }

  // MARK: - On the thread

  private func attempt(_ progress: Progress) -> Outcome {
    let broker = MosquittoBroker(address, isTriedAgain: false)
    defer {
      broker.disconnect()
      broker.close()
    }
    return Outcome { () throws(DriverError) in
      try broker.connect(
        BrokerGreeting(client: client, subscriptions: topics + [echo]), on: WorkClock(at: .zero))
      progress.noteName()
      return try converse(with: broker)
    }
  }

  private func converse(with broker: MosquittoBroker) throws(DriverError) -> Findings {
    var findings = Findings()
    guard try exchange(with: broker, atMost: Self.patience, until: { $0 == .accepted }, &findings) else {
      throw silence(of: broker)
    }
    findings.certificateDays = broker.certificateDays
    var failure: DriverError?
    Array("panel doctor".utf8).withUnsafeBytes { payload in
      do throws(DriverError) {
        try broker.publish(payload, to: echo, isRetained: false, number: 1)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    findings.isEchoed = try exchange(
      with: broker, atMost: Self.echoPatience,
      until: { news in if case .heard(let message) = news { message.topic == echo } else { false } }, &findings)
    return findings
  }

  /// Exchanges messages until the awaited event occurs, and records the kept messages. Returns false if the time is
  /// over first.
  private func exchange(
    with broker: MosquittoBroker, atMost span: Duration, until isAwaited: (BrokerNews) -> Bool,
    _ findings: inout Findings
  ) throws(DriverError) -> Bool {
    let end = ContinuousClock.now + span
    var hasCome = false
    while !hasCome {
      let left = end - ContinuousClock.now
      guard left > .zero else { return false }
      var polled = broker.descriptors.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
      poll(&polled, nfds_t(polled.count), left.wholeMilliseconds)
      try broker.exchange(on: WorkClock(at: .zero)) { news in
        if isAwaited(news) { hasCome = true }
        if case .leftOut(let message) = news, findings.oversized.count < Self.mostOversized {
          findings.oversized.append(message)
        }
        guard case .heard(let message) = news, message.isRetained else { return }
        findings.retained[message.topic] = String(decoding: message.payload, as: UTF8.self)
      }
    }
    return true
  }

  /// The error if nothing has arrived in time: from the network, or from the program at the other end.
  private func silence(of broker: MosquittoBroker) -> DriverError {
    let isConnected = broker.descriptors.contains { polled in
      var (address, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
      return withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(polled.descriptor, $0, &length) == 0 }
      }
    }
    return DriverError(
      .absent, of: address.text, cannot: "reach \(address.text)",
      reason: isConnected ? "the connection is accepted, but nothing answers" : "nothing answers there",
      remedy: isConnected
        ? "Check that a broker uses this port for connections \(address.hasTLS ? "with" : "without") TLS."
        : "Check the address and the firewall.")
  }
}

extension Duration {
  /// For `poll`: at least 1 ms.
  fileprivate var wholeMilliseconds: Int32 {
    Int32(clamping: max(1, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))
  }
}
