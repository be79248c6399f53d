import CycleCore
import Glibc

/// Writes text to a descriptor whose reader may be slow, stopped or gone: a pipe, a terminal, a file.
///
/// Until ``detach(waitingWhile:)``, a write waits for the reader. After it, a thread writes, and ``write(_:)`` returns
/// immediately. Text that does not fit into the buffer is dropped, and the number of dropped lines is written when the
/// reader reads again. The thread ends after some time without text, and the next text starts another one.
///
/// The reason for a thread: docs/internals/decisions/0011-a-thread-writes-output.md.
package final class NonBlockingWriter: @unchecked Sendable {
  /// The maximum number of bytes that wait for the reader. A longer text is accepted if no other text waits.
  package static let capacity = 64 << 10

  private let descriptor: Int32
  private let countDropped: (_ lines: Int) -> String
  /// The time for which the thread waits for another text.
  private let idleTime: Duration
  /// Signalled at every change of the following properties.
  private let changed = ConditionVariable()

  // The following properties are used with the mutex locked.
  private var isDetached = false
  private var hasThread = false
  private var waiting: [UInt8] = []
  /// Bytes that the thread is writing.
  private var inFlight = 0
  /// The number of lines that were dropped and are not part of a written count yet.
  private var dropped = 0
  /// Whether the last write failed. The count of dropped lines is then written with the next text, and not retried on
  /// its own.
  private var isFailing = false
  /// Whether the reader is gone permanently.
  private var isAbandoned = false
  private var firstFailure: Int32?
  private var goOnWaiting: (() -> Bool)?
  private var bell: (any Doorbell)?

  /// - Parameter countDropped: returns the line, with its end, that reports the number of missing lines.
  /// - Parameter idleTime: the time for which the thread waits for another text. While a process has only one thread,
  ///   the kernel counts no references to the files of its system calls, which the cycle makes at each event.
  package init(
    _ descriptor: Int32, idleTime: Duration = .milliseconds(100), countDropped: @escaping (_ lines: Int) -> String
  ) {
    self.descriptor = descriptor
    self.idleTime = idleTime
    self.countDropped = countDropped
  }

  /// Makes ``write(_:)`` return without waiting for the reader from now on.
  ///
  /// - Parameter goOnWaiting: for a caller that may be blocked and must lose no line. ``write(_:)`` then waits until
  ///   the text is written, and calls this every 20 ms; false ends the wait.
  package func detach(waitingWhile goOnWaiting: (() -> Bool)? = nil) {
    changed.locked {
      isDetached = true
      self.goOnWaiting = goOnWaiting
    }
  }

  /// Writes the text, or queues it for the thread. Drops it if the reader is gone.
  package func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes the bytes like a text.
  package func write(_ bytes: [UInt8]) {
    changed.lock()
    defer { changed.unlock() }
    guard !bytes.isEmpty, !isAbandoned else { return }
    // If the system can't start a thread, the text is written by the caller, as before `detach`.
    guard isDetached, hasThread || startThread() else { return note(writeAll(bytes), of: bytes) }
    if hasRoom(for: bytes.count) { waiting += bytes } else { dropped += lines(in: bytes) }
    changed.broadcast()
    guard let goOnWaiting else { return }
    repeat { _ = changed.wait(for: .milliseconds(20)) } while !isAllWritten && goOnWaiting()
  }

  /// Returns whether everything has been written. If not, the bell is rung once when it has been.
  package func isIdle(orRing bell: any Doorbell) -> Bool {
    changed.locked {
      self.bell = isAllWritten ? nil : bell
      return isAllWritten
    }
  }

  /// Waits until everything has been written or dropped, for at most the limit; nil for no limit.
  ///
  /// - Returns: false if text is left.
  @discardableResult
  package func flush(within limit: Duration?) -> Bool {
    let clock = ContinuousClock()
    let end = limit.map { clock.now + $0 }
    return changed.locked {
      while !isAllWritten, end.map({ clock.now < $0 }) ?? true { _ = changed.wait(for: .milliseconds(20)) }
      return isAllWritten
    }
  }

  /// The errno of the first write that failed; nil if none did. A reader that is gone is not a failure.
  package var failure: Int32? { changed.locked { firstFailure } }

  // MARK: - With the mutex locked

  private var isAllWritten: Bool { waiting.isEmpty && inFlight == 0 && (dropped == 0 || isFailing || isAbandoned) }

  /// Whether a text fits. After a loss, all lines are dropped until the count of lost lines can be written, so that the
  /// count is in the place of the missing lines.
  private func hasRoom(for count: Int) -> Bool {
    let pending = waiting.count + inFlight
    return pending == 0 || (dropped == 0 || isFailing) && pending + count <= Self.capacity
  }

  private func lines(in bytes: [UInt8]) -> Int { max(1, bytes.count { $0 == UInt8(ascii: "\n") }) }

  private func note(_ code: Int32?, of bytes: [UInt8]) {
    isFailing = code != nil
    guard let code else { return }
    if Self.isReaderGone(code, descriptor) {
      isAbandoned = true
      waiting = []
      dropped = 0
    } else {
      firstFailure = firstFailure ?? code
      dropped += lines(in: bytes)
    }
  }

  // MARK: - The thread

  /// Calls `pthread_create`. Returns false if the system can't create a thread.
  private func startThread() -> Bool {
    guard let thread = try? SystemThread({ [self] in run() }) else { return false }
    // Not joined: it may be blocked in a write when the program ends.
    thread.detach()
    hasThread = true
    return true
  }

  private func run() {
    changed.lock()
    defer { changed.unlock() }
    while true {
      let clock = ContinuousClock()
      let end = clock.now + idleTime
      while waiting.isEmpty && (dropped == 0 || isFailing) {
        let left = end - clock.now
        guard left > .zero else {
          hasThread = false
          return
        }
        _ = changed.wait(for: left)
      }
      var bytes = waiting
      if dropped > 0 {
        let count = Array(countDropped(dropped).utf8)
        // After a failed write, the dropped lines precede `waiting`. If not, they follow it.
        bytes = isFailing ? count + bytes : bytes + count
      }
      waiting = []
      dropped = 0
      inFlight = bytes.count
      changed.unlock()
      let code = writeAll(bytes)
      changed.lock()
      inFlight = 0
      note(code, of: bytes)
      changed.broadcast()
      if isAllWritten, let bell {
        self.bell = nil
        bell.ring()
      }
    }
  }

  /// Writes the bytes, without a time limit. Calls `write` and `poll`.
  ///
  /// - Returns: the errno of a write that failed; nil if all was written.
  private func writeAll(_ bytes: [UInt8]) -> Int32? {
    bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
        if count > 0 {
          written += count
        } else if count == 0 {
          return EIO
        } else if errno == EAGAIN {
          // Another process that shares the descriptor has set O_NONBLOCK.
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&ready, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// Whether an error means a pipe or socket without a reader, or a terminal that has hung up.
  private static func isReaderGone(_ code: Int32, _ descriptor: Int32) -> Bool {
    if code == EPIPE || code == ECONNRESET { return true }
    var status = stat()
    return code == EIO && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }
}
