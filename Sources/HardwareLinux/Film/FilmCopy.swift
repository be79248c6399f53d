import CycleCore
import Glibc
import HardwareDrivers
import Terminal

/// Writes a film into a file on the thread that calls it: a part of another film, not one that is recorded.
public final class FilmCopy: FilmSink {
  private static let portion = 64 << 10

  /// Where the bytes go.
  private enum Target {
    /// A file that was not there before.
    case new(GrowingFile)
    /// A file that a user has named, whatever exists there.
    case named(OutputFile)
  }

  /// The file's name when it is whole.
  public let path: String
  private let file: Target
  private var waiting: [UInt8] = []
  private var failure: SystemFailure?
  private var isFinished = false
  public private(set) var account = FilmAccount()

  /// Creates the file. Calls `open`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isReplacing: whether it takes the place of a file that is there. It does so when it is whole, so that there is
  ///     always a whole file under the name. Otherwise a file that is there is an error of kind `busy`.
  /// - Throws: kind `notPermitted`, `cannotWrite`, `busy` or `failed` if the file can't be made.
  public init(path: String, isReplacing: Bool) throws(DriverError) {
    self.path = path
    do throws(SystemFailure) {
      file = try isReplacing ? .named(Self.named(path)) : .new(GrowingFile(path: path, isReplacing: false))
    } catch {
      guard error.number == EEXIST else { throw GrowingFile.cannotWrite(path, error) }
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
  /// - Throws: the error of the first call that failed; then there is no file.
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
      throw GrowingFile.cannotWrite(path, error)
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
