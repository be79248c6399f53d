import CycleCore
import HardwareDrivers

/// The format of a sound file, by its first bytes.
enum SoundFileFormat {
  /// A file for the ``HardwareDrivers/WAVReader``. It also reports the fault of a file that is of no known format.
  case wav
  /// A file for libsndfile, by the name of its format.
  case decoded(String)
  /// A file that nothing here reads, by the name of its format.
  case unsupported(String)

  init(of source: any ByteSource, path: String) throws(DriverError) {
    let beginning = try Self.beginning(of: source)
    func has(_ text: String, at place: Int = 0) -> Bool {
      beginning.dropFirst(place).starts(with: text.utf8)
    }
    if has("fLaC") {
      self = .decoded("FLAC")
    } else if has("OggS") {
      self = .decoded("Ogg")
    } else if has("FORM"), has("AIF", at: 8) {
      self = .decoded("AIFF")
    } else if has("RF64") {
      self = .decoded("RF64")
    } else if has("ID3") || Self.isMPEG(beginning) {
      self = .decoded("MP3")
    } else if has("ftyp", at: 4) {
      self = .unsupported("AAC")
    } else if try WAVReader(source, name: path).isEncoded() {
      self = .decoded("encoded WAV")
    } else {
      self = .wav
    }
  }

  private static func beginning(of source: any ByteSource) throws(DriverError) -> [UInt8] {
    var failure: DriverError?
    let bytes = [UInt8](unsafeUninitializedCapacity: 12) { buffer, count in
      do throws(DriverError) {
        count = try source.read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Whether the file begins with the header of an MPEG audio frame of layer III: 11 bits of synchronisation, a version,
  /// the layer, a bit rate and a sample rate.
  private static func isMPEG(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return false }
    let (version, layer) = (bytes[1] >> 3 & 3, bytes[1] >> 1 & 3)
    return version != 1 && layer == 1 && bytes[2] >> 4 != 15 && bytes[2] >> 2 & 3 != 3
  }
}
