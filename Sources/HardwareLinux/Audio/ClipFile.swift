import CycleCore
import HardwareDrivers

extension Clip {
  /// Reads a sound file: WAV (PCM and float), and by libsndfile FLAC, Ogg Vorbis, Opus, MP3, AIFF, RF64 and encoded WAV.
  /// One or two channels, any rate from 1 to 768 kHz. The file has at most 256 MB, and at most 256 MB when converted to
  /// 16 bits at 48 kHz. Blocks while the disk reads, so a driver calls it at its start or on a worker.
  ///
  /// Samples of more than 16 bits are rounded to 16. Symbolic links are followed. Of a damaged file, what comes before
  /// the damage is read.
  ///
  /// - Throws: an error if the file can't be read. For a fault in a WAV file it names the fault and its byte. If
  ///   libsndfile is needed and missing, the error is of kind `unsupported` and names its package.
  public convenience init(contentsOf path: String) throws(DriverError) {
    let source = try FileByteSource(path)
    switch try SoundFileFormat(of: source, path: path) {
    case .wav: try self.init(WAVReader(source, name: path))
    case .decoded(let format): try self.init(DecodedSound(source, path: path, format: format), path: path)
    case .unsupported(let format): throw Self.unsupported(format, path)
    }
  }

  /// Checks that ``init(contentsOf:)`` can read the file: reads its structure, and the first samples of a file that must
  /// be decoded.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - isHeard: whether a file without samples, which would be silent, is refused, too.
  /// - Throws: the errors of ``init(contentsOf:)``.
  public static func check(_ path: String, isHeard: Bool = false) throws(DriverError) {
    let source = try FileByteSource(path)
    switch try SoundFileFormat(of: source, path: path) {
    case .wav:
      let reader = WAVReader(source, name: path)
      if isHeard { try reader.check() } else { _ = try reader.readHeader() }
    case .decoded(let format):
      let sound = try DecodedSound(source, path: path, format: format)
      try checkSize(sound.length, of: sound, path: path)
      guard isHeard else { return }
      var samples = [Float](repeating: 0, count: sound.channelCount)
      guard try sound.read(into: &samples, count: 1) > 0 else {
        throw DriverError(
          .unsupported, of: path, cannot: "read \(path)", reason: "there are no samples in it",
          remedy: "Record it again, or use another file.")
      }
    case .unsupported(let format): throw unsupported(format, path)
    }
  }

  /// Returns the magnitude of the last sample frame of a WAV file if it is so loud that a player fades it out; nil if it
  /// is not, or if the file must be decoded.
  package static func loudEnd(of path: String) throws(DriverError) -> Int? {
    let source = try FileByteSource(path)
    guard case .wav = try SoundFileFormat(of: source, path: path) else { return nil }
    return try WAVReader(source, name: path).loudEnd()
  }

  private static func unsupported(_ format: String, _ path: String) -> DriverError {
    let name = String(path.split(separator: "/").last ?? "")
    let stem = name.split(separator: ".").first.map(String.init) ?? "converted"
    return DriverError(
      .unsupported, of: path, cannot: "read \(path)", reason: "\(format) is not read",
      remedy: "Convert it: ffmpeg -i \(name) \(stem).ogg")
  }

  /// Checks the size at 48 kHz as well: a sound with a low rate is small, but its conversion for the device may not be.
  private static func checkSize(_ length: Int, of sound: DecodedSound, path: String) throws(DriverError) {
    let frames = max(Double(length), Double(length) * 48_000 / Double(sound.sampleRateHertz))
    let size = frames * Double(sound.channelCount) * 2
    guard size > Double(largestSize) else { return }
    throw DriverError(
      .unsupported, of: path, cannot: "read \(path)",
      reason: "\(length / sound.sampleRateHertz) s are too long: \(tooLarge(Int(min(size, 1e15))))",
      remedy: "Cut the sound.")
  }

  private convenience init(_ sound: DecodedSound, path: String) throws(DriverError) {
    let piece = 4_096
    var floats = [Float](repeating: 0, count: piece * sound.channelCount)
    var converted = [Int16](repeating: 0, count: floats.count)
    var samples: [Int16] = []
    // The declared length may be wrong: what is read counts.
    try Self.checkSize(sound.length, of: sound, path: path)
    while true {
      let count = try sound.read(into: &floats, count: piece)
      guard count > 0 else { break }
      PCMSample.convert(floats, count * sound.channelCount, into: &converted)
      samples += converted.prefix(count * sound.channelCount)
      try Self.checkSize(samples.count / sound.channelCount, of: sound, path: path)
    }
    self.init(samples: samples, channelCount: sound.channelCount, sampleRateHertz: sound.sampleRateHertz)
  }
}
