internal import CMQTT
import CycleCore
import Glibc
import HardwareDrivers

/// A broker on the network, through libmosquitto 2.0, which is loaded when the first connection is made. Each
/// connection is a new object of the library, so that nothing of an old one is left in its queues.
///
/// The library would allocate memory for a message of any length. Received bytes are therefore checked here first, and
/// a message that is longer than ``HardwareDrivers/ReceivedMessage/longestPacket`` is dropped while it arrives.
///
/// Calls `mosquitto_connect_async`, `mosquitto_publish`, `mosquitto_loop_read`, `mosquitto_loop_write` and
/// `mosquitto_loop_misc`. A name server that does not answer blocks `mosquitto_connect_async` for 10 s or longer.
public final class MosquittoBroker: Broker {
  private let address: BrokerConnectionSettings
  /// The last sentence of errors, about the next try; empty if it isn't tried again.
  private let again: (soon: String, later: String)
  private var client: OpaquePointer?
  private var greeting: BrokerGreeting?
  /// The numbers of messages that are not acknowledged, by the library's identifiers.
  private var numbers: [Int32: Int] = [:]
  private var news: [BrokerNews] = []
  /// The identifier of the SUBSCRIBE for the client's own topics; nil before it is sent.
  private var keptSubscription: Int32?
  /// Why the broker has refused the client; nil if it has not.
  private var refusal: DriverError?
  private var keepAlive: KeepAlive?
  private var clock: WorkClock?
  private var isLeaving = false

  /// Doesn't connect.
  public convenience init(_ address: BrokerConnectionSettings) {
    self.init(address, isTriedAgain: true)
  }

  /// - Parameters:
  ///   - address: the broker's address.
  ///   - isTriedAgain: whether a failed connection is tried again, which errors then mention.
  package init(_ address: BrokerConnectionSettings, isTriedAgain: Bool) {
    self.address = address
    again = isTriedAgain ? (" It is retried.", " It is retried every 60 s.") : ("", "")
  }

  deinit { close() }

  public var name: String { address.text }
  public var needsThread: Bool { true }
  public func wake(with waker: DriverWaker) {}

  public func connect(_ greeting: BrokerGreeting, on clock: WorkClock) throws(DriverError) {
    close()
    guard cmqtt_load() == 0 else {
      throw LibraryPackage.mosquitto.missing(cannot: "reach \(name)", on: .current, or: "use --network simulated")
    }
    let password = try address.passwordFile.map { path throws(DriverError) in try Self.password(in: path) }
    self.greeting = greeting
    var made: OpaquePointer?
    var number: Int32 = 0
    let code = withSettings(greeting, password) { settings, calls in cmqtt_connect(settings, calls, &made, &number) }
    client = made
    guard code == 0 else {
      let error = error(of: code, number)
      close()
      throw error
    }
    keepAlive = KeepAlive(.seconds(Self.seconds(of: greeting.keepAlive)), at: clock.now)
    self.clock = clock
  }

  public func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool, number: Int?
  ) throws(DriverError) {
    guard let client else { throw error(of: Self.noConnection, 0) }
    var identifier: Int32 = 0
    let code = cmqtt_publish(
      client, topic, payload.baseAddress, payload.count, number == nil ? 0 : 1, isRetained, &identifier)
    guard code == 0 else { throw error(of: code, errno) }
    if let clock { keepAlive?.sent(at: clock.now) }
    if let number { numbers[identifier] = number }
  }

  public func exchange(on clock: WorkClock, _ take: (BrokerNews) -> Void) throws(DriverError) {
    guard let client else { return }
    var number: Int32 = 0
    let code = cmqtt_exchange(client, &number)
    keepAlive?.called(at: clock.now)
    for piece in news { take(piece) }
    news.removeAll(keepingCapacity: true)
    if let refusal {
      self.refusal = nil
      throw refusal
    }
    guard code == 0 || isLeaving else { throw error(of: code, number) }
  }

  /// The number of days for which the broker's certificate is still valid; nil without an encrypted connection.
  package var certificateDays: Int? {
    var days: Int32 = 0
    guard let client, cmqtt_certificate_days(client, &days) else { return nil }
    return Int(days)
  }

  public var deadline: Moment? { client == nil ? nil : keepAlive?.deadline }

  public var descriptors: [PolledDescriptor] {
    guard let client, case let descriptor = cmqtt_descriptor(client), descriptor >= 0 else { return [] }
    let events = POLLIN | (cmqtt_wants_write(client) ? POLLOUT : 0)
    return [PolledDescriptor(descriptor: descriptor, events: Int16(events))]
  }

  public var isFlushed: Bool { client.map { cmqtt_descriptor($0) < 0 || !cmqtt_wants_write($0) } ?? true }

  public func disconnect() {
    guard let client, !isLeaving else { return }
    isLeaving = true
    cmqtt_disconnect(client)
  }

  public func close() {
    if let client { cmqtt_free(client) }
    client = nil
    (numbers, news, refusal, isLeaving, keepAlive) = ([:], [], nil, false, nil)
    keptSubscription = nil
  }

  // MARK: - News

  private func connected(_ code: Int32) {
    guard code == 0 else {
      let text = String(cString: cmqtt_refusal_text(code))
      refusal = DriverError(
        .notPermitted, of: name, cannot: "connect to \(name)",
        reason: "the broker refuses the client (\(code): \(text))",
        remedy: (Self.remedies[code] ?? "Ask the administrator of the broker.") + again.later)
      return
    }
    guard let greeting, let client else { return news.append(.accepted) }
    var identifier: Int32 = 0
    var code: Int32 = 0
    // The client's own topics first: they must be read before the client sends a message.
    if let kept = greeting.kept {
      code = Self.withFilters(kept.filters) { cmqtt_subscribe(client, $0, $1, 0, &identifier) }
      keptSubscription = identifier
    }
    if code == 0, !greeting.subscriptions.isEmpty {
      code = Self.withFilters(greeting.subscriptions) { cmqtt_subscribe(client, $0, $1, 1, &identifier) }
    } else if code == 0 {
      news.append(.accepted)
    }
    if code != 0 { refusal = error(of: code, errno) }
  }

  public func endReading() throws(DriverError) {
    guard let client, let kept = greeting?.kept, keptSubscription != nil else { return }
    let code = Self.withFilters(kept.filters) { cmqtt_unsubscribe(client, $0, $1) }
    guard code == 0 else { throw error(of: code, errno) }
  }

  private static func withFilters(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>, Int32) -> Int32
  ) -> Int32 {
    let filters = texts.map { strdup($0).map { UnsafePointer($0) } }
    defer { for filter in filters { free(UnsafeMutablePointer(mutating: filter)) } }
    return filters.withUnsafeBufferPointer { $0.baseAddress.map { body($0, Int32(filters.count)) } ?? 0 }
  }

  private static let remedies: [Int32: String] = [
    2: "The identifier of the client is not allowed; give the panel another one.",
    4: "The user or the password is wrong; check both.",
    5: "The user or the password is wrong or missing; check both.",
  ]

  private func subscribed(_ identifier: Int32, _ refused: Int32) {
    // If the broker doesn't let the panel read its own topics, the messages there stay.
    guard identifier != keptSubscription else { return }
    guard refused >= 0, let greeting, greeting.subscriptions.indices.contains(Int(refused)) else {
      return news.append(.accepted)
    }
    refusal = DriverError(
      .notPermitted, of: name, cannot: "subscribe to \(greeting.subscriptions[Int(refused)]) at \(name)",
      reason: "the broker refuses it",
      remedy: "Allow this user to read it in the access list of the broker.\(again.later)")
  }

  private func delivered(_ identifier: Int32) {
    if let number = numbers.removeValue(forKey: identifier) { news.append(.delivered(number)) }
  }

  // MARK: - The library

  /// The keepalive in seconds: the library accepts 5 s to 65535 s.
  private static func seconds(of keepAlive: Duration) -> Int64 { min(65535, max(5, keepAlive.components.seconds)) }

  private func withSettings(
    _ greeting: BrokerGreeting, _ password: String?,
    _ body: (UnsafePointer<cmqtt_settings>, UnsafePointer<cmqtt_calls>) -> Int32
  ) -> Int32 {
    let texts = [
      address.host, greeting.client, address.user, password, greeting.will?.topic, greeting.will?.payload,
      address.authorities, address.certificate, address.key,
    ].map { $0.flatMap { UnsafePointer(strdup($0)) } }
    defer { for text in texts { free(UnsafeMutablePointer(mutating: text)) } }
    var settings = cmqtt_settings()
    settings.host = texts[0]
    settings.port = Int32(address.port)
    settings.client = texts[1]
    settings.keepalive = Int32(Self.seconds(of: greeting.keepAlive))
    (settings.user, settings.password) = (texts[2], texts[3])
    (settings.will_topic, settings.will_payload) = (texts[4], texts[5])
    settings.has_tls = address.hasTLS
    (settings.authorities, settings.certificate, settings.key) = (texts[6], texts[7], texts[8])
    settings.accepts_any_certificate = address.acceptsAnyCertificate
    var calls = cmqtt_calls()
    calls.owner = Unmanaged.passUnretained(self).toOpaque()
    calls.connected = { MosquittoBroker.broker($0).connected($1) }
    calls.subscribed = { MosquittoBroker.broker($0).subscribed($1, $2) }
    calls.delivered = { MosquittoBroker.broker($0).delivered($1) }
    calls.heard = { owner, topic, payload, count, isRetained in
      let broker = MosquittoBroker.broker(owner)
      let topic = topic.map { String(cString: $0) } ?? ""
      let longest = broker.greeting?.longestPayload(on: topic) ?? ReceivedMessage.longestPayload
      let bytes = UnsafeBufferPointer(start: payload, count: min(count, longest + 1))
      broker.news.append(.heard(ReceivedMessage(topic: topic, payload: Array(bytes), isRetained: isRetained)))
    }
    calls.left_out = { owner, topic, size, isRetained in
      MosquittoBroker.broker(owner).news.append(
        .leftOut(
          OversizedMessage(
            topic: topic.map { String(cString: $0) } ?? "", byteCount: size, isRetained: isRetained)))
    }
    return body(&settings, &calls)
  }

  private static func broker(_ owner: UnsafeMutableRawPointer?) -> MosquittoBroker {
    Unmanaged<MosquittoBroker>.fromOpaque(owner!).takeUnretainedValue()
  }

  private static func password(in path: String) throws(DriverError) -> String {
    let bytes: [UInt8]
    do throws(SystemFailure) {
      bytes = try SmallFile.bytes(of: path, atMost: 4096)
    } catch {
      throw DriverError(
        .notPermitted, of: path, cannot: "read the password in \(path)", reason: error.reason, cause: error.cause,
        remedy: "The file must exist, and the panel's user must be allowed to read it.")
    }
    return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }

  // MARK: - Errors

  // MOSQ_ERR_NO_CONN and others of mosquitto.h.
  private static let noConnection: Int32 = 4
  private static let system: Int32 = 14
  private static let names: Int32 = 15
  private static let certificates: Int32 = 8
  private static let ended: Int32 = 7
  private static let tooLong = Int32(CMQTT_TOO_LONG)

  private func error(of code: Int32, _ number: Int32) -> DriverError {
    let operation = "reach \(name)"
    let again = again.soon
    switch (code, number) {
    case (Self.names, _):
      return DriverError(
        .absent, of: name, cannot: operation, reason: "the name \(address.host) is not known",
        remedy: "Check the spelling and the name server.\(again)")
    case (Self.system, ECONNREFUSED):
      return failure(
        .absent, operation, number, "connection refused", "Check that the broker runs and uses this port.\(again)")
    case (Self.system, ENETUNREACH), (Self.system, EHOSTUNREACH):
      return failure(.absent, operation, number, "no route to host", "Check the network connection.\(again)")
    case (Self.system, ENOENT) where address.hasTLS:
      return failure(
        .misconfigured, operation, number, "a file of certificates is missing",
        "Check the named files.\(again)")
    case (Self.ended, _):
      return DriverError(
        .lost, of: name, cannot: operation, reason: "the broker ended the connection",
        remedy:
          "Check that it runs and uses this port for connections \(address.hasTLS ? "with" : "without") TLS.\(again)")
    case (Self.tooLong, _):
      let size = client.map { cmqtt_refused_size($0) } ?? 0
      return DriverError(
        .lost, of: name, cannot: operation,
        reason: "it sends a message of \(size) bytes; at most \(ReceivedMessage.longestPacket) are read",
        remedy: "Find the client that sends it, and set message_size_limit in mosquitto.conf.\(again)")
    case (Self.certificates, _):
      let fault = client.flatMap { cmqtt_certificate_fault($0) }.map { String(cString: $0) }
      return DriverError(
        fault == nil ? .lost : .misconfigured, of: name, cannot: operation,
        reason: fault.map { "its certificate can't be trusted: \($0)" } ?? "the connection can't be encrypted",
        remedy: fault == nil
          ? "Check that this is the port for TLS.\(again)"
          : "Check the certificate's dates and names, PANEL_MQTT_CA, and the clock of this machine.\(again)")
    case (Self.system, _):
      return failure(
        .lost, operation, number, String(cString: strerror(number)), "Check the network connection.\(again)")
    default:
      return DriverError(
        .lost, of: name, cannot: operation, reason: String(cString: cmqtt_text(code)),
        remedy: "Check that the broker runs.\(again)")
    }
  }

  private func failure(
    _ kind: DriverError.Kind, _ operation: String, _ number: Int32, _ reason: String, _ remedy: String
  ) -> DriverError {
    DriverError(
      kind, of: name, cannot: operation, reason: reason,
      cause: DriverError.Cause(function: "mosquitto_loop", name: SystemFailure.name(of: number), number: number),
      remedy: remedy)
  }
}
