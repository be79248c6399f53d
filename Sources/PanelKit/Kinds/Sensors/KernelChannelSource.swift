import HardwareLinux
import PanelLanguage

/// A channel of a device that a kernel driver reads: `{ iio: bme280, channel: temp }`.
package protocol KernelChannelSource: NumberSensorSource {
  init(place: At)
  /// The place of a channel of a kernel device.
  static func place(_ device: String, _ channel: String, _ conversion: NumberConversion) -> At
}

/// The key `channel`, which sheets have, too.
enum KernelChannel {
  static let key = Key(
    name: "channel", takes: "the name of a channel: temp1", shape: .text,
    meaning: "name of the measured quantity in the kernel, or a channel of a chip with a sheet")
  static let requiredKey = Key(
    name: key.name, takes: key.takes, isRequired: true, shape: key.shape, meaning: key.meaning)
}

extension KernelChannelSource {
  /// - Parameter takes: the name of a device with such channels, with an example.
  static func makeGrammar(_ word: String, _ name: String, summary: String, sample: String, takes: String) -> FieldSet {
    FieldSet(
      name: name, summary: summary, sample: sample,
      keys: [
        Key(name: word, takes: takes, shape: .text),
        KernelChannel.requiredKey,
      ] + NumberConversion.keys)
  }

  package init?(reading fields: DeviceFields) {
    guard let conversion = NumberConversion(reading: fields), let device = fields.fileName(Self.word),
      let channel = fields.text("channel")
    else { return nil }
    fields.noteThousandths(conversion, unit: Self.place(device, channel, NumberConversion()).unit)
    self.init(place: Self.place(device, channel, conversion))
  }

  package var origin: String? {
    """
    a driver of the kernel reads it (\(Self.word) \(place.name)). A sensor that is built into the computer needs no wire. Wire \
    a separate sensor as its manual shows, and load its overlay
    """
  }
}
