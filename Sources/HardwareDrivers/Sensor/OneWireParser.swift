import CycleCore

/// Parses the kernel's files of a sensor (`w1/slaves/w1_therm`).
package enum OneWireParser {
  /// Parses the file `temperature`: thousandths of a degree, or nothing if the kernel's reading failed.
  package static func temperature(in text: String, of sensor: String) throws(DriverError) -> Temperature {
    let fault = OneWireErrorFactory(sensor: sensor)
    let number = text.prefix { $0 != "\n" }
    guard !number.isEmpty else { throw fault.noAnswer() }
    guard let value = Int(number) else { throw fault.failed("read", "\"\(number)\" is not a temperature") }
    return Temperature(millidegreesCelsius: value)
  }

  /// Parses the file `w1_slave`: the nine bytes that were read and the result of their checksum, then the bytes again
  /// and the temperature.
  ///
  ///     4b 01 4b 46 7f ff 0c 10 d8 : crc=d8 YES
  ///     4b 01 4b 46 7f ff 0c 10 d8 t=20687
  package static func temperature(inScratchpad text: String, of sensor: String) throws(DriverError) -> Temperature {
    let fault = OneWireErrorFactory(sensor: sensor)
    let lines = text.split(separator: "\n")
    guard lines.count >= 2 else { throw fault.noAnswer() }
    guard lines[0].hasSuffix(" YES") else { throw fault.checksum() }
    // A data wire that is held low reads as nine zeros, which have a valid checksum.
    guard !lines[0].hasPrefix("00 00 00 00 00 00 00 00 00") else { throw fault.noAnswer() }
    guard let place = lines[1].lastIndex(of: "="), let value = Int(lines[1][lines[1].index(after: place)...]) else {
      throw fault.failed("read", "\"\(lines[1])\" has no temperature")
    }
    return Temperature(millidegreesCelsius: value)
  }
}
