internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers

/// The system calls on input devices, as a protocol that tests implement with a simulated kernel.
protocol KeySystem: AnyObject {
  /// Opens a device for reading, without waiting.
  func open(_ path: String) throws(SystemFailure) -> Int32
  func close(_ descriptor: Int32)
  /// The number of the device, which is the same for all its names; nil if unknown: `fstat`.
  func device(of descriptor: Int32) -> UInt64?
  /// Stamps events with `CLOCK_MONOTONIC`: `EVIOCSCLOCKID`.
  func setClock(_ descriptor: Int32) throws(SystemFailure)
  /// `EVIOCGRAB`.
  func grab(_ descriptor: Int32) throws(SystemFailure)
  /// The keys that are down: `EVIOCGKEY`.
  func pressedKeys(_ descriptor: Int32) throws(SystemFailure) -> Set<KeyCode>
  /// Appends the events that can be read without waiting, at most ``KeyEvent/mostRead``.
  func read(_ descriptor: Int32, into events: inout [KeyEvent]) throws(SystemFailure)
}

/// The implementation with Linux's system calls.
class LinuxKeySystem: KeySystem {
  func open(_ path: String) throws(SystemFailure) -> Int32 {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { throw .last("open") }
    return descriptor
  }

  func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
  func device(of descriptor: Int32) -> UInt64? { OpenNodes.device(of: descriptor) }

  func setClock(_ descriptor: Int32) throws(SystemFailure) {
    _ = try check(clinux_input_set_clock(descriptor), "ioctl EVIOCSCLOCKID")
  }

  func grab(_ descriptor: Int32) throws(SystemFailure) {
    _ = try check(clinux_input_grab(descriptor), "ioctl EVIOCGRAB")
  }

  func pressedKeys(_ descriptor: Int32) throws(SystemFailure) -> Set<KeyCode> {
    var bits = [UInt8](repeating: 0, count: Int(KeyCode.greatest.rawValue) / 8 + 1)
    _ = try check(clinux_input_keys(descriptor, &bits, UInt32(bits.count)), "ioctl EVIOCGKEY")
    return Self.keys(in: bits)
  }

  /// The keys whose bits are set.
  static func keys(in bits: [UInt8]) -> Set<KeyCode> {
    var keys: Set<KeyCode> = []
    for (place, byte) in bits.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 { keys.insert(KeyCode(rawValue: UInt16(8 * place + bit))) }
    }
    return keys
  }

  func read(_ descriptor: Int32, into events: inout [KeyEvent]) throws(SystemFailure) {
    let failure = withUnsafeTemporaryAllocation(of: clinux_input_event.self, capacity: KeyEvent.mostRead) { buffer in
      let count = clinux_input_read(descriptor, buffer.baseAddress, UInt32(buffer.count))
      guard count > 0 else { return -count }
      for event in buffer.prefix(Int(count)) {
        events.append(
          KeyEvent(
            type: event.type, code: event.code, value: event.value, moment: Moment(nanoseconds: event.nanoseconds)))
      }
      return 0
    }
    switch failure {
    case 0, EAGAIN, EINTR: break
    default: throw SystemFailure(function: "read", number: failure)
    }
  }

  private func check(_ result: Int32, _ function: String) throws(SystemFailure) -> Int32 {
    if result < 0 { throw SystemFailure(function: function, number: -result) }
    return result
  }
}
