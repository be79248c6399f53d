import CycleCore

extension Clip {
  /// Reads a WAV file whole: 8, 16, 24 and 32 bit PCM, 32 and 64 bit float, one or two channels, any rate from 1 to 768 kHz.
  ///
  /// Samples of more than 16 bits are rounded to 16: what a device gets.
  ///
  /// - Throws: why the file can't be read, or what is wrong with it and at which byte.
  public convenience init(contentsOfWAV path: String) throws(DriverError) {
    let bytes = try FileBytes.read(path)
    try self.init(WAVReader(bytes, name: path).read())
  }

  /// Whether ``init(contentsOfWAV:)`` takes the file: judges its structure, without reading the samples.
  ///
  /// - Throws: what ``init(contentsOfWAV:)`` throws.
  public static func check(wav path: String) throws(DriverError) {
    _ = try WAVReader(FileWindow(path), name: path).layout()
  }
}
