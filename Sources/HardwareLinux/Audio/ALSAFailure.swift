import CycleCore
import Glibc
import HardwareDrivers

/// A call of libasound that failed, with its negative errno.
struct ALSAFailure {
  private let function: String
  private let number: Int32

  init(_ function: String, _ code: Int32) {
    self.function = function
    number = -code
  }

  private var cause: DriverError.Cause {
    DriverError.Cause(function: function, name: SystemFailure.name(of: number), number: number)
  }

  /// The error if libasound is missing.
  static func missingLibrary(opening what: String) -> DriverError {
    LibraryPackage.asound.missing(cannot: "open \(what)", on: .current, or: "use --audio simulated")
  }

  /// The failure as an error of opening the device.
  func opening(_ device: String, as what: String = "the sound device") -> DriverError {
    let operation = "open \(what) \"\(device)\""
    switch number {
    case ENOENT, ENODEV, ENXIO:
      return DriverError(
        .absent, of: device, cannot: operation, reason: "there is no such device", cause: cause,
        remedy: "`aplay -L` lists the devices; name one in the panel file, or use --audio simulated.")
    // Plugins of PipeWire and PulseAudio.
    case EHOSTDOWN, ECONNREFUSED:
      return DriverError(
        .absent, of: device, cannot: operation, reason: "no sound server answers", cause: cause,
        remedy: "This user has none. For a service, write the name of a card: "
          + "`audio: { device: plughw:CARD=Headphones }`; `aplay -l` lists the cards.")
    case EBUSY:
      return DriverError(
        .busy, of: device, cannot: operation, reason: "busy", cause: cause,
        remedy:
          "Another program uses it; stop that program (`fuser -v /dev/snd/*` names it) or choose another device.")
    case EACCES, EPERM:
      return DriverError(
        .notPermitted, of: device, cannot: operation, reason: "permission denied", cause: cause,
        remedy: "Add this user to the group \"audio\".")
    case EINVAL:
      return DriverError(
        .unsupported, of: device, cannot: operation, reason: "it can't be set up as asked", cause: cause,
        remedy: "Use \"plug:\(device)\", which converts.")
    default:
      return DriverError(
        .failed, of: device, cannot: operation, reason: "the system refused", cause: cause,
        remedy: "Try it with `aplay -D \(device)`.")
    }
  }

  /// The failure as an error of setting an open mixer. A mixer that refuses the setting (EPERM, EACCES, EBUSY) is not
  /// lost.
  func setting(_ card: String) -> DriverError {
    let operation = "set the mixer of the sound card \"\(card)\""
    switch number {
    case EPERM, EACCES:
      return DriverError(
        .notPermitted, of: card, cannot: operation, reason: "its volume can only be read", cause: cause,
        remedy: "List the volumes with `amixer -D \(card)` and use another one, or set the volume of AudioPlayer.")
    case EBUSY:
      return DriverError(
        .busy, of: card, cannot: operation, reason: "another program has locked it", cause: cause,
        remedy: "Stop that program; the volume is then set.")
    default:
      return reading(card)
    }
  }

  /// The failure as an error of using an open mixer: kind `lost`.
  func reading(_ card: String) -> DriverError {
    DriverError(
      .lost, of: card, cannot: "use the mixer of the sound card \"\(card)\"", reason: "the card was removed",
      cause: cause,
      remedy: "Plug it in again; its volume is then set.")
  }

  /// The failure as an error of a device that has stopped and can't be started again: kind `lost`.
  func ended(_ device: String) -> DriverError {
    guard number == EPIPE || number == EIO else { return playing(device) }
    return DriverError(
      .lost, of: device, cannot: "play on the sound device \"\(device)\"", reason: "the sound server has ended",
      cause: cause, remedy: "Start it again; the sound then continues.")
  }

  /// The failure as an error of using an open device: kind `lost`.
  func playing(_ device: String) -> DriverError {
    let operation = "play on the sound device \"\(device)\""
    switch number {
    case EIO:
      return DriverError(
        .lost, of: device, cannot: operation, reason: "the sound server or the card has failed", cause: cause,
        remedy: "It is opened again. Check the sound server and the connection of the card.")
    default:
      return DriverError(
        .lost, of: device, cannot: operation, reason: "it is gone", cause: cause,
        remedy: "Plug it in again; the sound then continues.")
    }
  }
}
