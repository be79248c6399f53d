import HardwareDrivers

extension SoundCardPort: RealPort {
  public func makeReal() -> any SoundCard { ALSACard(device: device) }
  public func makeFile(at path: String) -> any SoundCard { WAVFileCard(path: path) }
}
