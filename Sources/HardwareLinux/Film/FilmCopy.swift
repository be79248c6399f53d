import CycleCore
import Glibc
import HardwareDrivers

/// Writes a film into a file on the thread that calls it: a part of another film, not one that is recorded.
public final class FilmCopy: FilmSink {
  private static let portion = 64 << 10

  /// The file's name when it is whole.
  public let path: String
  private let file: GrowingFile
  private var waiting: [UInt8] = []
  private var failure: SystemFailure?
  private var isFinished = false
  public private(set) var account = FilmAccount()

  /// Creates the file. Calls `open`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isReplacing: whether it takes the place of one that is there, when it is whole; otherwise that is an error of
  ///     kind `busy`.
  /// - Throws: kind `notPermitted`, `cannotWrite`, `busy` or `failed` if the file can't be made.
  public init(path: String, isReplacing: Bool) throws(DriverError) {
    self.path = path
    do throws(SystemFailure) {
      file = try GrowingFile(path: isReplacing ? "\(path).\(getpid()).part" : path, isReplacing: isReplacing)
    } catch {
      guard error.number == EEXIST else { throw GrowingFile.cannotWrite(path, error) }
      throw DriverError(
        .busy, of: path, cannot: "write the film \(path)", reason: "a file is there", cause: error.cause,
        remedy: "Name another one.")
    }
  }

  deinit { if !isFinished { unlink(file.path) } }

  public func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool {
    guard failure == nil else { return false }
    waiting.append(contentsOf: lines)
    if case .cause = part {
      account.offered += 1
      account.written += 1
    }
    if waiting.count >= Self.portion { write() }
    return true
  }

  public func flush(_ occasion: FilmFlush) {}

  /// Brings the film to safety, and gives the file its name. Calls `write`, `fdatasync` and `rename`.
  ///
  /// - Throws: the error of the first call that has failed; then there is no file.
  public func finish() throws(DriverError) {
    write()
    do throws(SystemFailure) {
      if let failure { throw failure }
      try file.synchronize()
      if file.path != path, rename(file.path, path) != 0 { throw .last("rename") }
      isFinished = true
    } catch {
      throw GrowingFile.cannotWrite(path, error)
    }
  }

  private func write() {
    do throws(SystemFailure) {
      if failure == nil { try waiting.withBytes { (bytes) throws(SystemFailure) in try file.write(bytes) } }
    } catch {
      failure = error
    }
    waiting.removeAll(keepingCapacity: true)
  }
}

extension [UInt8] {
  /// As `withUnsafeBytes`, through which a typed error does not pass with older compilers.
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
