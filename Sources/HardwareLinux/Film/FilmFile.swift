import CycleCore
import Glibc
import HardwareDrivers

/// Writes a film into a file on a thread of its own: an SD card may stall for seconds, and the cycle never waits for
/// it. If the buffer is full, records are refused, and the film contains their number.
///
/// The thread writes at the beginning, when 64 KiB wait, when something has waited for 5 s, at a flush and at the end.
/// After a flush and at the end it calls `fdatasync`.
public final class FilmFile: FilmSink, @unchecked Sendable {
  /// The number of bytes that may wait for the file, without the header.
  public static let capacity = 1 << 20
  /// The least limit of a film's size: there has to be room for two headers.
  public static let leastLimit = 1 << 20
  /// How many bytes are worth a write of their own.
  private static let portion = 64 << 10
  private static let longestWait = Duration.seconds(5)

  private let file: GrowingFile
  /// How many bytes a file gets before a new one is begun; nil for any number.
  private let half: Int?
  private let changed = SystemCondition()
  // All of this is used with the condition locked.
  /// What waits, and what the thread writes: both have room for all.
  private var waiting = FilmFile.makeBuffer()
  private var written = FilmFile.makeBuffer()
  private var count = 0
  /// How many of the bytes that wait belong to the film before a new one; nil if none begins there.
  private var turn: Int?
  /// How many bytes of the film that is the newest have been taken.
  private var size = 0
  /// How many records wait, and how many the thread writes.
  private var (waitingRecords, writtenRecords) = (0, 0)
  private var records = FilmAccount()
  /// Whether what waits is to be written at once: a film has begun, and can be read from then on.
  private var isBeginning = false
  private var isFlushWanted = false
  private var isEnding = false
  private var hasEnded = false
  private var failure: SystemFailure?

  private static func makeBuffer() -> UnsafeMutableRawBufferPointer {
    // The system gives memory only where it is used.
    .allocate(byteCount: capacity + Film.longestHeader, alignment: 1)
  }

  /// Creates the file, in place of one that is there, and starts the thread. Calls `open` and `pthread_create`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the approximate maximum of bytes in two files: the older half is in `path.1`, and older records
  ///     are dropped. At least ``leastLimit``; nil for one file without a limit.
  /// - Throws: kind `notPermitted`, `cannotWrite` or `failed` if the file can't be made; `unsupported` for a limit of
  ///   path that is not a regular file.
  public init(path: String, limit: Int? = nil) throws(DriverError) {
    precondition(limit ?? Self.leastLimit >= Self.leastLimit, "a recording has room for 1 MiB")
    half = limit.map { $0 / 2 - 2 * Self.portion }
    do throws(SystemFailure) {
      file = try GrowingFile(path: path, isReplacing: true)
    } catch {
      throw GrowingFile.cannotWrite(path, error)
    }
    if limit != nil {
      guard file.isRegular else {
        throw DriverError(
          .unsupported, of: path, cannot: "limit the recording \(path)", reason: "not a regular file",
          remedy: "Leave the limit out, or name a file.")
      }
      do throws(SystemFailure) { try file.followLinks() } catch { throw GrowingFile.cannotWrite(path, error) }
      try Self.removeEarlier(GrowingFile.earlier(file.path))
    }
    do throws(SystemThread.Refusal) {
      // Not joined: it may be blocked in a write when the program ends.
      try SystemThread { [self] in run() }.detach()
    } catch {
      throw GrowingFile.cannotWrite(path, SystemFailure(function: "pthread_create", number: error.code))
    }
  }

  /// Removes what an earlier recording has left: it is no part of this film.
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

  public func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool {
    changed.locked {
      var capacity = Self.capacity
      var begins = false
      if case .beginning(let headerBytes) = part {
        capacity += min(headerBytes, Film.longestHeader)
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

  /// Only one new film may wait to be begun.
  public var wantsNewFilm: Bool {
    guard let half else { return false }
    return changed.locked { size >= half && turn == nil }
  }

  public func flush(_ occasion: FilmFlush) {
    changed.locked {
      isFlushWanted = true
      changed.signal()
    }
  }

  public var account: FilmAccount {
    changed.locked {
      var account = records
      account.pending = waitingRecords + writtenRecords
      return account
    }
  }

  /// Has the thread write what waits, and waits for it, for 5 s at most.
  ///
  /// - Returns: the reason in words if something could not be written; nil if all is in the file.
  public func finish() -> String? {
    changed.locked {
      isEnding = true
      changed.broadcast()
      let end = SystemCondition.now + Self.longestWait
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
      let failure = write(portion, newFilmAt: end, mustSynchronize: mustSynchronize)
      changed.lock()
      if self.failure == nil { self.failure = failure }
      // Of a portion that could not be written whole, no record counts as written.
      if failure == nil { records.written += writtenRecords } else { records.lost += writtenRecords }
      writtenRecords = 0
      hasEnded = isLast && count == 0
    }
    changed.broadcast()
    changed.unlock()
  }

  /// With the condition locked.
  private func waitForWork() {
    while count == 0, !isFlushWanted, !isEnding { changed.wait() }
    let end = SystemCondition.now + Self.longestWait
    while count < Self.portion, !isBeginning, !isFlushWanted, !isEnding, changed.wait(until: end) {}
    isBeginning = false
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, newFilmAt end: Int?, mustSynchronize: Bool
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
