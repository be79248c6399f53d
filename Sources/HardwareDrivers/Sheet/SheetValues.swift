// The numbers of a sheet: from settings, from answers, and from formulas.

extension Sheet {
  /// The values at the beginning: those of the settings.
  ///
  /// - Parameters:
  ///   - settings: the settings that were chosen; the others have their defaults.
  ///   - constants: the values that were read at the start; empty for none.
  func values(_ settings: SheetSettings, keeping constants: [Int128] = []) -> [Int128] {
    var values = constants.isEmpty ? Array(repeating: 0, count: valueCount) : constants
    for setting in self.settings {
      switch setting.values {
      case .choices(let choices, let usual):
        let word = settings.words[setting.name] ?? usual
        guard let choice = choices.first(where: { $0.word == word }) else { continue }
        for (slot, number) in zip(setting.slots, choice.numbers) { values[slot] = Int128(number) }
      case .number(_, _, let usual):
        values[setting.slots[0]] = Int128((settings.numbers[setting.name] ?? usual).rounded(.down))
      }
    }
    return values
  }

  /// Calculates all formulas, in their order.
  func calculate(_ values: inout [Int128]) throws(SheetExpression.DivisionByZero) {
    for number in numbers { values[number.slot] = try number.formula.value(values) }
  }

  /// A reading, within its range.
  func reading(_ name: String, _ values: [Int128], _ settings: SheetSettings) -> Double {
    guard let number = numbers.first(where: { $0.name == name }), let reading = number.reading else { return .nan }
    // A setting that is a real number has its full value in a scale.
    let reals: [Int: Double] = Dictionary(
      uniqueKeysWithValues: self.settings.compactMap { setting in
        guard case .number(_, _, let usual) = setting.values else { return nil }
        return (setting.slots[0], settings.numbers[setting.name] ?? usual)
      })
    let scaled = Double(values[number.slot]) * reading.scale.real { reals[$0] ?? Double(values[$0]) }
    return scaled.isNaN ? scaled : min(reading.range.upperBound, max(reading.range.lowerBound, scaled))
  }

  // MARK: - Bytes

  /// The number of bytes of an answer, with its checksums.
  package static func byteCount(_ fields: [Field], _ checksum: Checksum?) -> Int {
    let bytes = fields.reduce(0) { $0 + $1.bits + $1.padding } / 8
    return checksum.map { bytes + bytes / $0.after } ?? bytes
  }

  /// Takes the numbers of an answer, bit by bit.
  static func take(_ fields: [Field], from bytes: [UInt8], into values: inout [Int128]) {
    var place = 0
    for field in fields {
      var number: UInt64 = 0
      if field.isLittleEndian {
        for index in 0..<field.bits / 8 { number |= UInt64(bytes[place / 8 + index]) << UInt64(8 * index) }
      } else {
        for bit in place..<place + field.bits {
          number = number << 1 | UInt64(bytes[bit / 8] >> UInt8(7 - bit % 8) & 1)
        }
      }
      place += field.bits + field.padding
      guard let slot = field.slot else { continue }
      let isNegative = field.isSigned && number >> UInt64(field.bits - 1) & 1 != 0
      values[slot] = Int128(number) - (isNegative ? Int128(1) << Int128(field.bits) : 0)
    }
  }
}

extension Sheet.Checksum {
  /// The checksum of bytes.
  func value(_ bytes: some Sequence<UInt8>) -> UInt8 {
    var sum = start
    for byte in bytes {
      sum ^= byte
      for _ in 0..<8 { sum = sum & 0x80 != 0 ? sum << 1 ^ polynomial : sum << 1 }
    }
    return sum
  }

  /// The bytes without their checksums; nil if a checksum is wrong.
  func checked(_ bytes: [UInt8]) -> [UInt8]? {
    var plain: [UInt8] = []
    for begin in stride(from: 0, to: bytes.count, by: after + 1) {
      let group = bytes[begin..<begin + after]
      guard value(group) == bytes[begin + after] else { return nil }
      plain += group
    }
    return plain
  }
}
