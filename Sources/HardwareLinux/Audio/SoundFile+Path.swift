import CycleCore
import Glibc
import HardwareDrivers

extension SoundFile {
  /// A sound file: WAV (PCM and float), and by libsndfile FLAC, Ogg Vorbis, Opus, MP3, AIFF, RF64 and encoded WAV. One or
  /// two channels, any rate from 1 to 768 kHz, up to 4 GiB and 24 hours. Calls `stat`, and reads nothing.
  ///
  /// Samples of more than 16 bits are rounded to 16. Symbolic links are followed. Of a damaged file, what comes before
  /// the damage is played.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - isStreamed: see ``HardwareDrivers/SoundFile/isStreamed``.
  public init(_ path: String, isStreamed: Bool? = nil) {
    var info = stat()
    let version =
      stat(path, &info) == 0 ? [Int(info.st_size), info.st_mtim.tv_sec, info.st_mtim.tv_nsec] : []
    self.init(path, version: version, isStreamed: isStreamed) { (_: WorkClock) throws(DriverError) in
      try Self.open(path)
    }
  }

  /// Checks that a player can read the file: reads its structure, and the first samples of a file that must be decoded.
  ///
  /// - Parameter isHeard: whether a file without samples, which would be silent, is refused, too.
  /// - Throws: an error if the file can't be read. For a fault in a WAV file it names the fault and its byte. If
  ///   libsndfile is needed and missing, the error is of kind `absent` and names its package.
  public func check(isHeard: Bool = false) throws(DriverError) {
    let reader = try Self.open(path)
    if !isStreamed(atLength: reader.duration) {
      try Clip.checkSize(reader.length, of: reader, name: path)
    } else if reader.duration > Self.longest {
      throw DriverError(
        .unsupported, of: path, cannot: "read \(path)", reason: "it is longer than 24 hours", remedy: "Cut the sound.")
    }
    guard isHeard else { return }
    var samples = [Int16](repeating: 0, count: reader.channelCount)
    guard try reader.read(into: &samples, count: 1) == 0 else { return }
    throw DriverError(
      .unsupported, of: path, cannot: "read \(path)", reason: "there are no samples in it",
      remedy: "Record it again, or use another file.")
  }

  /// The duration that the file declares. Blocks while the disk reads.
  package func duration() throws(DriverError) -> Duration { try Self.open(path).duration }

  /// Opens the file.
  static func open(_ path: String) throws(DriverError) -> any SampleReader {
    let source = try FileByteSource(path)
    switch try SoundFileFormat(of: source, path: path) {
    case .wav: return try WAVSamples(WAVReader(source, name: path))
    case .decoded(let format): return try DecodedSound(source, path: path, format: format)
    case .unsupported(let format):
      let name = String(path.split(separator: "/").last ?? "")
      let stem = name.split(separator: ".").first.map(String.init) ?? "converted"
      throw DriverError(
        .unsupported, of: path, cannot: "read \(path)", reason: "\(format) is not read",
        remedy: "Convert it: ffmpeg -i \(name) \(stem).ogg")
    }
  }

  /// The magnitude of the last sample frame of a WAV file if it is so loud that a player fades it out; nil if it is not,
  /// or if the file must be decoded.
  package func loudEnd() throws(DriverError) -> Int? {
    let source = try FileByteSource(path)
    guard case .wav = try SoundFileFormat(of: source, path: path) else { return nil }
    return try WAVReader(source, name: path).loudEnd()
  }
}

extension Clip {
  /// Reads a sound file of any format that ``HardwareDrivers/SoundFile`` reads, at most 256 MB of 16-bit samples here and
  /// at 48 kHz. Blocks while the disk reads, so a driver calls it on a worker; a player reads a ``HardwareDrivers/SoundFile``
  /// by itself.
  ///
  /// - Throws: the errors of ``HardwareDrivers/SoundFile/check(isHeard:)``, and kind `unsupported` if it is too large.
  public convenience init(contentsOf path: String) throws(DriverError) {
    try self.init(SoundFile.open(path), name: path)
  }
}
