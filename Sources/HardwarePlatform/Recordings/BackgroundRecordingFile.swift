import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux

/// Writes a recording to a file on a separate thread: an SD card may stall for seconds, and the cycle never waits for
/// it. If the buffer is full, records are dropped, and the recording contains their number.
///
/// The thread writes at the beginning, when 64 KiB wait, when bytes have waited for 5 s, at a flush and at the end.
/// After a flush and at the end it calls `fdatasync`.
public final class BackgroundRecordingFile: RecordingSink, @unchecked Sendable {
  /// The number of bytes that may wait for the file, without the header.
  public static let capacity = 1 << 20
  /// The smallest limit of a recording's size: two headers must fit.
  public static let leastLimit = 1 << 20
  /// The number of waiting bytes that are written immediately.
  private static let portion = 64 << 10
  private static let longestWait = Duration.seconds(5)

  private let file: WritableFile
  /// The number of bytes after which a new file is begun; nil for no limit.
  private let half: Int?
  private let changed = ConditionVariable()
  // All properties below are used with the condition locked.
  /// The bytes that wait, and those that the thread is writing. Each buffer has room for all.
  private var waiting = BackgroundRecordingFile.makeBuffer()
  private var written = BackgroundRecordingFile.makeBuffer()
  private var count = 0
  /// The number of waiting bytes that belong to the previous recording; nil if no new recording begins among them.
  private var turn: Int?
  /// The number of bytes of the newest recording that have been taken.
  private var size = 0
  /// The number of records that wait, and of those that the thread is writing.
  private var (waitingRecords, writtenRecords) = (0, 0)
  private var records = RecordingAccount()
  /// Whether waiting bytes must be written immediately: a recording has begun, and can be read from then on.
  private var isBeginning = false
  private var isFlushWanted = false
  private var isEnding = false
  private var hasEnded = false
  private var failure: SystemFailure?

  private static func makeBuffer() -> UnsafeMutableRawBufferPointer {
    // The system provides memory only for the used part.
    .allocate(byteCount: capacity + RecordingReader.longestHeader, alignment: 1)
  }

  /// Creates the file, replacing an existing one, and starts the thread. Calls `open` and `pthread_create`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the approximate maximum of bytes in two files: the older half is in `path.1`, and older records
  ///     are dropped. At least ``leastLimit``; nil for one file without a limit.
  /// - Throws: kind `notPermitted`, `cannotWrite` or `failed` if the file can't be created; `unsupported` for a limit
  ///   on a path that is not a regular file.
  public init(path: String, limit: Int? = nil) throws(DriverError) {
    precondition(limit ?? Self.leastLimit >= Self.leastLimit, "a recording has room for 1 MiB")
    half = limit.map { $0 / 2 - 2 * Self.portion }
    do throws(SystemFailure) {
      file = try WritableFile(path: path, isReplacing: true)
    } catch {
      throw WritableFile.cannotWrite(path, error)
    }
    if limit != nil {
      guard file.isRegular else {
        throw DriverError(
          .unsupported, of: path, cannot: "limit the recording \(path)", reason: "not a regular file",
          remedy: "Leave the limit out, or name a file.")
      }
      do throws(SystemFailure) { try file.followLinks() } catch { throw WritableFile.cannotWrite(path, error) }
      try Self.removeEarlier(WritableFile.earlier(file.path))
    }
    do throws(SystemThread.Refusal) {
      // Not joined: it may be blocked in a write when the program ends.
      try SystemThread { [self] in run() }.detach()
    } catch {
      throw WritableFile.cannotWrite(path, SystemFailure(function: "pthread_create", number: error.code))
    }
  }

  /// Removes the file of an earlier recording, which does not belong to this recording.
  private static func removeEarlier(_ path: String) throws(DriverError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DriverError(
        .unsupported, of: path, cannot: "keep the older half of the recording in \(path)",
        reason: "a link, a folder or a device has this name", remedy: "Move it, or give the recording a different name."
      )
    }
    unlink(path)
  }

  deinit {
    waiting.deallocate()
    written.deallocate()
  }

  public func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    changed.locked {
      var capacity = Self.capacity
      var begins = false
      if case .beginning(let headerBytes) = part {
        capacity += min(headerBytes, RecordingReader.longestHeader)
        begins = true
      }
      guard failure == nil, !isEnding, count + lines.count <= capacity else { return false }
      if begins {
        if size > 0 { turn = count }
        size = 0
        isBeginning = true
      }
      UnsafeMutableRawBufferPointer(rebasing: waiting[count...]).copyMemory(from: lines)
      let wasEmpty = count == 0
      count += lines.count
      size += lines.count
      if case .cause = part {
        records.offered += 1
        waitingRecords += 1
      }
      if wasEmpty || count >= Self.portion { changed.signal() }
      return true
    }
  }

  /// Only one new recording can wait to be begun.
  public var wantsNewRecording: Bool {
    guard let half else { return false }
    return changed.locked { size >= half && turn == nil }
  }

  public func flush(_ occasion: RecordingFlush) {
    changed.locked {
      isFlushWanted = true
      changed.signal()
    }
  }

  public var account: RecordingAccount {
    changed.locked {
      var account = records
      account.pending = waitingRecords + writtenRecords
      return account
    }
  }

  /// Writes the waiting bytes on the thread, and waits for that, for 5 s at most.
  ///
  /// - Returns: the reason if something could not be written; nil if everything is in the file.
  public func finish() -> String? {
    changed.locked {
      isEnding = true
      changed.broadcast()
      let end = ConditionVariable.now + Self.longestWait
      while !hasEnded, changed.wait(until: end) {}
      if let failure { return String(cString: strerror(failure.number)) }
      return hasEnded ? nil : "the disk did not answer for \(Self.longestWait)"
    }
  }

  // MARK: - The thread

  private func run() {
    changed.lock()
    while !hasEnded {
      waitForWork()
      let isLast = isEnding
      let mustSynchronize = isFlushWanted || isLast
      isFlushWanted = false
      let portion = UnsafeRawBufferPointer(rebasing: waiting[..<count])
      let end = turn
      swap(&waiting, &written)
      count = 0
      turn = nil
      swap(&waitingRecords, &writtenRecords)
      changed.unlock()
      let failure = write(portion, newRecordingAt: end, mustSynchronize: mustSynchronize)
      changed.lock()
      if self.failure == nil { self.failure = failure }
      // If a portion could not be written completely, none of its records counts as written.
      if failure == nil { records.written += writtenRecords } else { records.lost += writtenRecords }
      writtenRecords = 0
      hasEnded = isLast && count == 0
    }
    changed.broadcast()
    changed.unlock()
  }

  /// Called with the condition locked.
  private func waitForWork() {
    while count == 0, !isFlushWanted, !isEnding { changed.wait() }
    let end = ConditionVariable.now + Self.longestWait
    while count < Self.portion, !isBeginning, !isFlushWanted, !isEnding, changed.wait(until: end) {}
    isBeginning = false
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, newRecordingAt end: Int?, mustSynchronize: Bool
  ) -> SystemFailure? {
    do throws(SystemFailure) {
      if let end {
        try file.write(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        try file.beginAnew()
      }
      try file.write(UnsafeRawBufferPointer(rebasing: bytes[(end ?? 0)...]))
      if mustSynchronize { try file.synchronize() }
      return nil
    } catch {
      return error
    }
  }
}

extension WritableFile {
  /// The error of a recording that can't be written.
  static func cannotWrite(_ path: String, _ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind == .absent ? .cannotWrite : failure.kind, of: path, cannot: "write the recording \(path)",
      reason: failure.reason, cause: failure.cause,
      remedy: "Name a file in an existing folder that this user may write.")
  }
}
