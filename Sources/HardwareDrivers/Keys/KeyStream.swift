import CycleCore

/// The keys of an input device as they change, for a driver: opens the device, reads its events in order, and restores
/// the keys after events that the kernel has dropped. It is a class, so that a driver can change while it reads.
final class KeyStream {
  enum Change {
    /// A key went down or up. Repetitions of a key that is held down are left out.
    case key(KeyCode, isDown: Bool)
    /// A relative axis has moved by this number of steps.
    case axis(UInt16, by: Int32)
    /// Events were dropped; these keys are down now.
    case dropped(down: Set<KeyCode>)
  }

  let device: any KeyDevice
  let isGrabbed: Bool
  private var connection: (any KeyConnection)?
  /// Events that were read and not handled, because the driver had no room for more.
  private var events: [KeyEvent] = []

  init(_ device: any KeyDevice, isGrabbed: Bool) {
    self.device = device
    self.isGrabbed = isGrabbed
  }

  /// Opens the device. Returns the keys that are down.
  func open(_ watcher: Watcher) throws(DriverError) -> Set<KeyCode> {
    close()
    let connection = try device.open(isGrabbed: isGrabbed)
    do throws(DriverError) {
      try connection.watch(watcher)
      let down = try connection.pressedKeys()
      self.connection = connection
      return down
    } catch {
      connection.close()
      throw error
    }
  }

  /// Reads events, as far as the driver has room for them.
  ///
  /// - Parameters:
  ///   - hasRoom: whether the driver can take another change.
  ///   - now: the moment of a change after dropped events.
  ///   - take: receives each change with its moment.
  /// - Returns: false if there may be more events; the driver must then read again.
  func read(
    hasRoom: () -> Bool, now: Moment, take: (Change, Moment) -> Void
  ) throws(DriverError) -> Bool {
    guard let connection else { return true }
    let isNew = events.isEmpty
    if isNew { try connection.read(into: &events) }
    // After the rest of an earlier reading, and after a full one, there may be more.
    let isAll = isNew && events.count < KeyEvent.mostRead
    var count = 0
    defer { events.removeFirst(count) }
    for event in events {
      guard hasRoom() else { return false }
      if event.type == KeyEvent.synchronization, event.code == KeyEvent.dropped {
        // If this fails, the event is handled again.
        let down = try connection.pressedKeys()
        // All that was read before is older than the state of the keys now.
        count = events.count
        take(.dropped(down: down), now)
        return isAll
      }
      count += 1
      if event.type == KeyEvent.relative { take(.axis(event.code, by: event.value), event.moment) }
      // The value 2 is a repetition.
      guard event.type == KeyEvent.key, event.value == 0 || event.value == 1 else { continue }
      take(.key(KeyCode(rawValue: event.code), isDown: event.value == 1), event.moment)
    }
    return isAll
  }

  func close() {
    connection?.close()
    connection = nil
    events = []
  }
}
