import CycleCore

/// Reads the lines of text of a serial line for all drivers that use it: it opens the line once, for the first of them,
/// and closes it with the last.
///
/// Each ``SerialLine`` has one. Used on the cycle's thread.
public final class SerialTextReader {
  private var connection: (any SerialConnection)?
  private var settings = SerialSettings()
  private var splitter = LineSplitter()
  /// The receivers of the lines. The first one is woken by the connection.
  private var receivers: [SerialTextReceiver] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)

  public init() {}

  deinit { buffer.deallocate() }

  /// Adds a receiver, and opens the line for the first one.
  func add(_ receiver: SerialTextReceiver, of line: any SerialLine, _ settings: SerialSettings) throws(DriverError) {
    if connection == nil {
      let opened = try line.open(settings)
      do throws(DriverError) {
        try opened.watch(receiver.watcher)
      } catch {
        opened.close()
        throw error
      }
      connection = opened
      self.settings = settings
      splitter = LineSplitter()
    } else if self.settings != settings {
      throw SerialErrorFactory(line.name).otherSettings(settings, open: self.settings)
    }
    receivers.append(receiver)
  }

  /// Removes a receiver, and closes the line after the last one. Does nothing if it was not added.
  func remove(_ receiver: SerialTextReceiver) {
    guard let place = receivers.firstIndex(where: { $0 === receiver }) else { return }
    receivers.remove(at: place)
    guard let connection else { return }
    guard let first = receivers.first else {
      connection.close()
      self.connection = nil
      return
    }
    guard place == 0 else { return }
    do throws(DriverError) { try connection.watch(first.watcher) } catch { fail(error, in: nil) }
  }

  /// Reads some of the bytes that have arrived, and gives the lines in them to all receivers. The others are woken; the
  /// connection wakes the first one again for the rest.
  ///
  /// - Parameter reader: the receiver whose driver calls.
  /// - Throws: the error of the connection, which is closed then. The other drivers throw it, too.
  func read(for reader: SerialTextReceiver) throws(DriverError) {
    guard let connection else { return }
    // A line has a byte and its end, so there are no more numbers than bytes.
    let room = receivers.reduce(buffer.count) { min($0, $1.room) }
    guard room > 0 else { return reader.wake() }
    let count: Int
    do throws(DriverError) {
      count = try connection.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
    } catch {
      fail(error, in: reader)
      throw error
    }
    guard count > 0 else { return }
    for receiver in receivers { receiver.counts.byteCount += count }
    let damagedBefore = splitter.damagedCount
    splitter.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line, isFirst in
      take(line, isFirst, reader)
    }
    let damaged = splitter.damagedCount - damagedBefore
    if damaged > 0, let first = receivers.first {
      first.damagedCount += damaged
      if first !== reader { first.wake() }
    }
  }

  private func take(_ line: [UInt8], _ isFirst: Bool, _ reader: SerialTextReceiver) {
    var isCounted = false
    for receiver in receivers {
      receiver.counts.lineCount += 1
      if let checksum = receiver.checksum, !checksum.isRight(in: line) {
        // The rest of a line that began before the first byte is no loss.
        guard !isFirst else { continue }
        receiver.counts.wrongCount += 1
        // One receiver counts the damage of the line.
        if isCounted { continue }
        isCounted = true
        receiver.damagedCount += 1
        if receiver !== reader { receiver.wake() }
      } else if receiver.take(line, isFirst), receiver !== reader {
        receiver.wake()
      }
    }
  }

  private func fail(_ error: DriverError, in reader: SerialTextReceiver?) {
    connection?.close()
    connection = nil
    for receiver in receivers where receiver !== reader {
      receiver.error = error
      receiver.wake()
    }
  }
}

/// The bytes and lines that have arrived since the last line that a driver waited for.
public struct SerialTextCounts: Equatable, Sendable {
  public var byteCount = 0
  public var lineCount = 0
  /// The number of lines with a wrong checksum.
  public var wrongCount = 0
  /// The last line, in quotes and shortened.
  public var excerpt = "\"\""

  public init() {}
}

/// A driver's part of a ``SerialTextReader``: what it waits for, and what has arrived for it.
final class SerialTextReceiver {
  let pattern: TextPattern
  let name: String
  let checksum: TextChecksum?
  let watcher: Watcher
  private let waker: DriverWaker
  private let laneRoom: () -> Int
  /// The numbers that have arrived and were not taken, the oldest first.
  private(set) var numbers: [Double] = []
  var counts = SerialTextCounts()
  /// The number of damaged lines that the driver has not emitted yet.
  var damagedCount = 0
  /// The error that another driver of the line has met.
  var error: DriverError?

  /// - Parameter room: returns the number of events that fit into the driver's lane.
  init(_ settings: TextSensor.Settings, _ watcher: Watcher, room: @escaping () -> Int) {
    pattern = settings.pattern
    name = settings.number
    checksum = settings.checksum
    self.watcher = watcher
    waker = watcher.makeWaker()
    laneRoom = room
  }

  func wake() { waker.wake() }

  /// The number of further numbers that the driver can emit.
  var room: Int { max(0, laneRoom() - numbers.count) }

  /// Takes a line. Returns whether it has a number for the driver.
  func take(_ line: [UInt8], _ isFirst: Bool) -> Bool {
    // The rest of a longer line could be a wrong number.
    let isRest = isFirst && !pattern.beginsWithText && checksum == nil
    guard !isRest, let number = pattern.number(name, in: line) else {
      counts.excerpt = NumberText.excerpt(of: line)
      return false
    }
    numbers.append(number)
    return true
  }

  /// Takes the numbers.
  func takeNumbers() -> [Double] {
    guard !numbers.isEmpty else { return [] }
    defer { numbers.removeAll(keepingCapacity: true) }
    counts = SerialTextCounts()
    return numbers
  }
}
