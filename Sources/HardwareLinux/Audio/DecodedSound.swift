internal import CSndFile
import CycleCore
import HardwareDrivers

/// A sound file that libsndfile decodes, piece by piece: FLAC, Ogg Vorbis, Opus, MP3, AIFF, RF64, and encoded WAV files.
///
/// The library is loaded when the first such file is opened. It reads through the file's ``HardwareDrivers/ByteSource``,
/// and gets no path.
final class DecodedSound: SampleReader {
  let channelCount: Int
  let sampleRateHertz: Int
  /// The length in sample frames that the file declares.
  let length: Int
  private let path: String
  private let file: FileAccess
  private let sound: OpaquePointer
  /// The samples of one call of the library.
  private var floats: [Float]

  /// The number of sample frames that are decoded at a time.
  private static let pieceSize = 4_096
  /// After a jump in an Ogg file the first sample frames are wrong: Vorbis needs the packet before, Opus 80 ms.
  private static let unreliable = 4_096

  /// The bytes of the file, for the calls of the library.
  private final class FileAccess {
    let source: any ByteSource
    /// Why a read has failed; nil if none has.
    var failure: DriverError?

    init(_ source: any ByteSource) { self.source = source }

    func read(at offset: Int, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
      do throws(DriverError) {
        return try source.read(at: offset, into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
      } catch {
        failure = failure ?? error
        return 0
      }
    }
  }

  /// - Parameters:
  ///   - source: the bytes of the file.
  ///   - path: the name of the file in errors.
  ///   - format: the name of the format in errors.
  ///   - load: loads the library, and returns a negative errno if it can't be loaded.
  init(
    _ source: any ByteSource, path: String, format: String, load: () -> Int32 = csndfile_load
  ) throws(DriverError) {
    guard load() == 0 else {
      throw DriverError(
        .absent, of: path, cannot: "read \(path)", reason: "\(format) needs libsndfile",
        remedy: "Install it: \(LibraryPackage.sndfile.installation(on: .current)).")
    }
    let file = FileAccess(source)
    var bytes = csndfile_bytes()
    bytes.owner = Unmanaged.passUnretained(file).toOpaque()
    bytes.size = Int64(source.size)
    bytes.read = { owner, offset, bytes, count in
      guard let owner, let bytes, count > 0 else { return 0 }
      return Int64(
        Unmanaged<FileAccess>.fromOpaque(owner).takeUnretainedValue().read(at: Int(offset), bytes, Int(count)))
    }
    var (channels, rate) = (Int32(0), Int32(0))
    var length: Int64 = 0
    var reason: UnsafePointer<CChar>?
    guard let sound = csndfile_open(&bytes, &channels, &rate, &length, &reason) else {
      throw file.failure ?? Self.unreadable(path, format, reason.map { String(cString: $0) } ?? "it is damaged")
    }
    (self.file, self.sound, self.path) = (file, sound, path)
    floats = [Float](repeating: 0, count: Self.pieceSize * max(1, min(2, Int(channels))))
    (channelCount, sampleRateHertz, self.length) = (Int(channels), Int(rate), Int(max(0, length)))
    guard (1...2).contains(channelCount) else {
      throw DriverError(
        .unsupported, of: path, cannot: "read \(path)",
        reason: "it has \(channelCount) channels: one and two are played",
        remedy: "Mix it: sox \(Self.name(path)) -c 2 mixed.wav")
    }
    guard (1_000...768_000).contains(sampleRateHertz) else {
      throw DriverError(
        .unsupported, of: path, cannot: "read \(path)",
        reason: "it has \(sampleRateHertz) sample frames a second: 1000 to 768000 are read",
        remedy: "Convert it: sox \(Self.name(path)) -r 48000 converted.wav")
    }
  }

  deinit {
    csndfile_close(sound)
  }

  private static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  private static func unreadable(_ path: String, _ format: String, _ reason: String) -> DriverError {
    var reason = reason
    while reason.hasSuffix(".") { reason.removeLast() }
    return DriverError(
      .unsupported, of: path, cannot: "read \(path)", reason: "it can't be read as \(format): \(reason)",
      remedy: "Convert it again from the original.")
  }

  func read(into samples: UnsafeMutablePointer<Int16>, count: Int) throws(DriverError) -> Int {
    var done = 0
    while done < count {
      let taken = Int(csndfile_read(sound, &floats, Int64(min(count - done, Self.pieceSize))))
      if let failure = file.failure { throw failure }
      guard taken > 0 else { break }
      PCMSample.convert(floats, taken * channelCount, into: samples + done * channelCount)
      done += taken
    }
    return done
  }

  func move(to sampleFrame: Int) throws(DriverError) {
    let start = max(0, sampleFrame - Self.unreliable)
    guard csndfile_seek(sound, Int64(start)) == Int64(start) else {
      throw file.failure
        ?? DriverError(
          .failed, of: path, cannot: "go to second \(sampleFrame / sampleRateHertz) of \(path)",
          reason: "libsndfile does not find that place", remedy: "Convert it again from the original.")
    }
    var rest = sampleFrame - start
    while rest > 0 {
      let taken = Int(csndfile_read(sound, &floats, Int64(min(rest, Self.pieceSize))))
      if let failure = file.failure { throw failure }
      guard taken > 0 else { return }
      rest -= taken
    }
  }
}
