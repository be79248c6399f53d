import CycleCore
import Glibc

/// Writes a film into a file on a thread of its own: an SD card may stand still for seconds, and the cycle never waits for
/// it. What does not fit into the buffer meanwhile is refused, and the film says so.
///
/// The thread writes when 64 KiB wait, when something has waited for 5 s, at a flush and at the end. After a flush and at
/// the end it calls `fdatasync`.
public final class FilmFile: FilmSink, @unchecked Sendable {
  /// How many bytes may wait for the file.
  public static let capacity = 1 << 20
  /// How many bytes are worth a write of their own.
  private static let portion = 64 << 10
  /// How long, in seconds, bytes may wait.
  private static let longestWait = 5

  private let descriptor: Int32
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // All of this is used with the mutex locked.
  /// What waits, and what the thread writes: both have room for all.
  private var waiting = FilmFile.makeBuffer()
  private var written = FilmFile.makeBuffer()
  private var count = 0
  /// How many records wait, and how many the thread writes.
  private var (waitingRecords, writtenRecords) = (0, 0)
  private var records = FilmAccount()
  private var isFlushWanted = false
  private var isEnding = false
  private var hasEnded = false
  private var failure: Int32?

  private static func makeBuffer() -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: capacity, alignment: 1)
  }

  /// Creates the file, in place of one that is there, and starts the thread. Calls `open` and `pthread_create`.
  ///
  /// - Throws: kind `notPermitted`, `absent` or `failed` if the file can't be made.
  public init(path: String) throws(DriverError) {
    descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
    guard descriptor >= 0 else { throw Self.cannotWrite(path, .last("open")) }
    guard startThread() else { throw Self.cannotWrite(path, .last("pthread_create")) }
  }

  deinit {
    waiting.deallocate()
    written.deallocate()
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  public func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool {
    locked {
      guard failure == nil, !isEnding, count + lines.count <= Self.capacity else { return false }
      UnsafeMutableRawBufferPointer(rebasing: waiting[count...]).copyMemory(from: lines)
      let wasEmpty = count == 0
      count += lines.count
      if case .cause = part {
        records.offered += 1
        waitingRecords += 1
      }
      if wasEmpty || count >= Self.portion { pthread_cond_signal(changed) }
      return true
    }
  }

  public func flush(_ occasion: FilmFlush) {
    locked {
      isFlushWanted = true
      pthread_cond_signal(changed)
    }
  }

  public var account: FilmAccount {
    locked {
      var account = records
      account.pending = waitingRecords + writtenRecords
      return account
    }
  }

  /// Has the thread write what waits, and waits for it, for 5 s at most.
  ///
  /// - Returns: the reason in words if something could not be written; nil if all is in the file.
  public func finish() -> String? {
    locked {
      isEnding = true
      pthread_cond_signal(changed)
      var end = Self.time(in: Self.longestWait)
      while !hasEnded, pthread_cond_timedwait(changed, mutex, &end) == 0 {}
      if let failure { return String(cString: strerror(failure)) }
      return hasEnded ? nil : "the disk did not answer for \(Self.longestWait) s"
    }
  }

  private static func cannotWrite(_ path: String, _ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind, of: path, cannot: "write the film \(path)", reason: failure.reason, cause: failure.cause,
      remedy: "Name a file in a folder that is there and that this user may write to.")
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// A moment of CLOCK_MONOTONIC, so many seconds from now.
  private static func time(in seconds: Int) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    time.tv_sec += seconds
    return time
  }

  // MARK: - The thread

  private func startThread() -> Bool {
    // Signals are for the cycle's thread: this one inherits that all are blocked.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let file = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<FilmFile>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, file.toOpaque())
    guard code == 0 else {
      file.release()
      errno = code
      return false
    }
    // Not joined: it may be blocked in a write when the program ends.
    pthread_detach(thread)
    return true
  }

  private func run() {
    pthread_mutex_lock(mutex)
    while !hasEnded {
      waitForWork()
      let isLast = isEnding
      let mustSync = isFlushWanted || isLast
      isFlushWanted = false
      let portion = UnsafeRawBufferPointer(rebasing: waiting[..<count])
      swap(&waiting, &written)
      count = 0
      swap(&waitingRecords, &writtenRecords)
      pthread_mutex_unlock(mutex)
      let code = write(portion, mustSync: mustSync)
      pthread_mutex_lock(mutex)
      if failure == nil { failure = code }
      // Of a portion that could not be written whole, no record counts as written.
      if code == nil { records.written += writtenRecords } else { records.lost += writtenRecords }
      writtenRecords = 0
      hasEnded = isLast && count == 0
    }
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  /// With the mutex locked.
  private func waitForWork() {
    while count == 0, !isFlushWanted, !isEnding { pthread_cond_wait(changed, mutex) }
    var end = Self.time(in: Self.longestWait)
    while count < Self.portion, !isFlushWanted, !isEnding, pthread_cond_timedwait(changed, mutex, &end) == 0 {}
  }

  /// Calls `write` and `fdatasync`. Returns the errno of a call that failed.
  private func write(_ bytes: UnsafeRawBufferPointer, mustSync: Bool) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count == 0 {
        return EIO
      } else if errno != EINTR {
        return errno
      }
    }
    // A pipe has nothing to bring to safety.
    if mustSync, fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS { return errno }
    return nil
  }
}

/// Reads a film from a file.
public final class FilmFileReader: FilmSource {
  private let descriptor: Int32
  private let path: String

  /// Opens the file. Calls `open`.
  ///
  /// - Throws: kind `absent` or `notPermitted` if it can't be opened.
  public init(path: String) throws(DriverError) {
    self.path = path
    // Without O_NONBLOCK a named pipe that nobody writes to would hold this process for ever.
    descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw error(.last("open")) }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// Calls `read`.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw error(.last("read")) }
    }
  }

  private func error(_ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind, of: path, cannot: "read the film \(path)", reason: failure.reason, cause: failure.cause,
      remedy: "Check the path, and that this user may read it.")
  }
}
