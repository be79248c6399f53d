import HardwareDrivers
import HardwareSimulation

/// Which devices an application runs on, as its command line says: each seam is chosen alone.
///
///     --gpio real|simulated       --audio real|simulated|FILE.wav
public struct DeviceOptions: Equatable, Sendable {
  public enum GPIO: Equatable, Sendable {
    case real
    case simulated
  }

  public enum Audio: Equatable, Sendable {
    case real
    case simulated
    /// Into a WAV file at the path.
    case file(String)
  }

  public var gpio: GPIO
  public var audio: Audio

  public init(gpio: GPIO = .real, audio: Audio = .real) {
    self.gpio = gpio
    self.audio = audio
  }

  /// Whether everything is simulated: then time can be virtual.
  public var isSimulated: Bool { gpio == .simulated && audio != .real }
}

extension DeviceOptions.GPIO {
  /// `real` or `simulated`; nil for anything else.
  public init?(argument: String) {
    switch argument {
    case "real": self = .real
    case "simulated": self = .simulated
    default: return nil
    }
  }
}

extension DeviceOptions.Audio {
  /// `real`, `simulated`, or the path of a file that ends in `.wav`; nil for anything else.
  public init?(argument: String) {
    switch argument {
    case "real": self = .real
    case "simulated": self = .simulated
    default:
      guard argument.hasSuffix(".wav") || argument.hasSuffix(".WAV") else { return nil }
      self = .file(argument)
    }
  }
}
