import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import Terminal

/// Writes a recording to a file on the calling thread: a part of another recording, not one that is being recorded.
public final class RecordingExcerptFile: RecordingSink {
  private static let portion = 64 << 10

  /// The destination of the bytes.
  private enum Target {
    /// A file that was not there before.
    case new(WritableFile)
    /// A file that a user has named, even if it exists.
    case named(OutputFile)
  }

  /// The path of the complete file.
  public let path: String
  private let file: Target
  private var waiting: [UInt8] = []
  private var failure: SystemFailure?
  private var isFinished = false
  public private(set) var account = RecordingAccount()

  /// Creates the file. Calls `open`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isReplacing: whether it replaces an existing file. It does so when it is complete, so that there is always a
  ///     complete file under the name. If false, an existing file is an error of kind `busy`.
  /// - Throws: kind `notPermitted`, `cannotWrite`, `busy` or `failed` if the file can't be created.
  public init(path: String, isReplacing: Bool) throws(DriverError) {
    self.path = path
    do throws(SystemFailure) {
      file = try isReplacing ? .named(Self.named(path)) : .new(WritableFile(path: path, isReplacing: false))
    } catch {
      guard error.number == EEXIST else { throw WritableFile.cannotWrite(path, error) }
      throw DriverError(
        .busy, of: path, cannot: "write the recording \(path)", reason: "the file exists", cause: error.cause,
        remedy: "Name another one.")
    }
  }

  deinit {
    if case .new(let file) = file, !isFinished { unlink(file.path) }
  }

  private static func named(_ path: String) throws(SystemFailure) -> OutputFile {
    do throws(OutputFile.Failure) { return try OutputFile(path) } catch { throw SystemFailure(error) }
  }

  public func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    guard failure == nil else { return false }
    waiting.append(contentsOf: lines)
    if case .cause = part {
      account.offered += 1
      account.written += 1
    }
    if waiting.count >= Self.portion { write() }
    return true
  }

  public func flush(_ occasion: RecordingFlush) {}

  /// Synchronizes the recording to the disk, and gives the file its name. Calls `write`, `fdatasync` and `rename`.
  ///
  /// - Throws: the error of the first call that failed; then the file does not exist.
  public func finish() throws(DriverError) {
    write()
    do throws(SystemFailure) {
      if let failure { throw failure }
      switch file {
      case .new(let file): try file.synchronize()
      case .named(let file):
        do throws(OutputFile.Failure) { try file.finish(synchronizes: true) } catch { throw SystemFailure(error) }
      }
      isFinished = true
    } catch {
      throw WritableFile.cannotWrite(path, error)
    }
  }

  private func write() {
    do throws(SystemFailure) {
      if failure == nil { try waiting.withBytes(write) }
    } catch {
      failure = error
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    switch file {
    case .new(let file): try file.write(bytes)
    case .named(let file):
      do throws(OutputFile.Failure) { try file.write(bytes) } catch { throw SystemFailure(error) }
    }
  }
}

extension SystemFailure {
  init(_ failure: OutputFile.Failure) { self.init(function: failure.function, number: failure.number) }
}

extension [UInt8] {
  /// Does the same as `withUnsafeBytes`, but with a typed error, which older compilers don't support there.
  fileprivate func withBytes<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
    let result = withUnsafeBytes { bytes in
      do throws(Failure) {
        try body(bytes)
        return Failure?.none
      } catch {
        return error
      }
    }
    if let result { throw result }
  }
}
