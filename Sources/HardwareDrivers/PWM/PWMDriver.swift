import CycleCore

/// A driver of one device on PWM channels.
///
/// A wave is written when it differs from the last one. Hardware that fails is written again after 1 s, 2 s … 60 s. A
/// pattern continues during a failure or a loss, and is then shown as of that moment.
public struct PWMDriver<Device: PWMDevice>: Driver {
  public typealias Model = Device.Model
  public typealias Event = Device.Event

  public static var recordingName: String { typeName(of: Device.self) }

  private var device: Device
  private var context: DriverContext<Event>?
  private var connections: [any PWMConnection] = []
  /// The wave that each channel shows; nil if unknown.
  private var shown: [PWMWave?] = []
  /// Whether a channel is gone: the others are closed, and drive nothing.
  private var isLost = false
  /// Whether the last write failed: the pattern waits for the retry or for another model.
  private var hasFailed = false

  public init(_ device: Device) {
    self.device = device
  }

  public var safeModel: Model { device.safeModel }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    device.render(model, at: context.now)
    do throws(DriverError) {
      for (place, channel) in device.channels.enumerated() {
        let wave = device.openingWave(of: place)
        let connection = try channel.open(showing: wave)
        connections.append(connection)
        shown.append(wave)
        try connection.watch(context.watcher)
      }
      // A pattern that continued during a loss is shown as of now. Nothing is reported before the channels are there.
      if let alarm = device.alarm, alarm <= context.now {
        device.ring(at: context.now) { context.emit($0, at: $1) }
      }
      try write()
    } catch {
      close()
      throw error
    }
    context.setAlarm(device.alarm)
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    guard let context else { return }
    device.render(model, at: context.now)
    hasFailed = false
    try write()
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    switch wake {
    case .alarm:
      device.ring(at: context.now) { context.emit($0, at: $1) }
      try write()
    case .retry:
      hasFailed = false
      device.ring(at: context.now) { context.emit($0, at: $1) }
      try write()
    case .ready:
      do throws(DriverError) {
        for connection in connections { try connection.check() }
      } catch {
        isLost = true
        throw error
      }
    case .posted: break
    }
  }

  public var isAtRest: Bool { device.isAtRest }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    var watches: [any ReturnWatch] = []
    do throws(DriverError) {
      for channel in device.channels {
        if let watch = try channel.watchForReturn(watcher) { watches.append(watch) }
      }
    } catch {
      for watch in watches { watch.release() }
      throw error
    }
    return watches.count > 1 ? JoinedReturnWatch(watches) : watches.first
  }

  /// Leaves the waves of a safe state that are not low, if the device keeps them and all of them are shown. Otherwise all
  /// lines are low.
  public mutating func stop() {
    let isSafe = !isLost && !hasFailed && connections.indices.allSatisfy { shown[$0] == device.wave(of: $0) }
    if Device.keepsWaves, isSafe, device.alarm == nil {
      for (connection, wave) in zip(connections, shown) where wave.map({ $0.high > .zero }) ?? false {
        connection.leave()
      }
    }
    close()
    context = nil
  }

  private mutating func close() {
    for connection in connections { connection.close() }
    connections = []
    shown = []
    (hasFailed, isLost) = (false, false)
    device.loseChannels()
  }

  /// Writes the waves that differ from those that are shown: first those that get less, from the last channel to the
  /// first one, and then those that get more. So an enable input falls first and rises last.
  private mutating func write() throws(DriverError) {
    // A wake between a failure and the retry would count as a success.
    defer { context?.setAlarm(hasFailed ? nil : device.alarm) }
    for place in connections.indices.reversed() where gets(less: true, place) { try write(place) }
    for place in connections.indices where gets(less: false, place) { try write(place) }
  }

  /// Whether the new wave of a channel is high for less time than the one that is shown. An unknown one counts as more.
  private func gets(less isLess: Bool, _ place: Int) -> Bool {
    let wave = device.wave(of: place)
    guard shown[place] != wave else { return false }
    return isLess == (wave.share < shown[place]?.share ?? 1 || wave.high == .zero)
  }

  private mutating func write(_ place: Int) throws(DriverError) {
    let wave = device.wave(of: place)
    shown[place] = nil
    do throws(DriverError) {
      try connections[place].show(wave)
    } catch {
      hasFailed = true
      if error.kind == .lost { isLost = true }
      device.failWrite()
      throw error
    }
    shown[place] = wave
  }
}

/// The watches for the channels of one device.
private final class JoinedReturnWatch: ReturnWatch {
  private let watches: [any ReturnWatch]

  init(_ watches: [any ReturnWatch]) { self.watches = watches }

  func acknowledge() -> Bool { watches.map { $0.acknowledge() }.contains(true) }
  func release() { for watch in watches { watch.release() } }
}
