/// The bytes with which a chip with a ``Sheet`` answers, so that its formulas give wanted numbers.
///
///     var answers = SheetAnswers(sheet, settings)
///     answers.set(21.5, "temperature")
///     answers.frames(after: nil)                     // the bytes of a device that sends by itself
///
/// The bytes are those of the sheet's example, with other fields. Each reading has the fields that change it and that no
/// earlier reading has. The fields of a reading are searched for the number that is nearest to the wanted one.
package struct SheetAnswers {
  package let sheet: Sheet
  package let settings: SheetSettings
  /// The steps of a start and of one measurement.
  private let steps: [Sheet.Step]
  /// The answer to each step that reads, without checksums.
  private var plain: [Int: [UInt8]] = [:]
  /// The fields of each reading that are searched.
  private var searched: [String: [Place]] = [:]

  /// A field in an answer.
  private struct Place: Equatable {
    var step: Int
    /// The bit of the answer at which the field begins.
    var bit: Int
    var field: Sheet.Field

    /// The lowest and the highest number of the field.
    var range: ClosedRange<Int128> {
      let count = Int128(1) << Int128(field.bits)
      return field.isSigned ? -count / 2...count / 2 - 1 : 0...count - 1
    }
  }

  /// - Parameters:
  ///   - sheet: the sheet.
  ///   - settings: the chosen settings; the others have their defaults.
  package init(_ sheet: Sheet, _ settings: SheetSettings) {
    (self.sheet, self.settings) = (sheet, settings)
    steps = sheet.identify + sheet.once + sheet.measure
    var count = 0
    var places: [Place] = []
    for (number, step) in steps.enumerated() {
      guard let length = step.answerLength else { continue }
      plain[number] = Self.example(sheet.example, count, step, length)
      count += 1
      if number >= sheet.identify.count + sheet.once.count { places += Self.places(of: step, number) }
    }
    assign(places)
  }

  // MARK: - Bytes

  /// The bytes of the example for a step.
  ///
  /// - Parameters:
  ///   - turn: the number of answers before it.
  ///   - length: the number of bytes without checksums.
  private static func example(_ example: SheetExample, _ turn: Int, _ step: Sheet.Step, _ length: Int) -> [UInt8] {
    switch example.answers {
    case .registers(let registers):
      let first = step.register.reduce(0) { $0 << 8 | Int($1) }
      return (first..<first + length).map { SheetExample.byte(at: $0, in: registers) }
    case .inTurn(let answers):
      guard !answers.isEmpty else { return Array(repeating: 0, count: length) }
      let bytes = answers[turn % answers.count]
      let checked: [UInt8] = if case .read(_, _, let checksum?) = step { checksum.checked(bytes) ?? [] } else { bytes }
      return Array((checked + Array(repeating: 0, count: length)).prefix(length))
    }
  }

  /// The fields of a step whose numbers are wanted, except those that contain fixed bytes of a frame.
  private static func places(of step: Sheet.Step, _ number: Int) -> [Place] {
    var places: [Place] = []
    var bit = 0
    for field in step.fields {
      defer { bit += field.bits + field.padding }
      guard field.slot != nil else { continue }
      let bytes = bit / 8..<(bit + field.bits + 7) / 8
      if case .receive(let frame, _, _) = step {
        if bytes.lowerBound < frame.start.count { continue }
        if let sum = frame.sum, bytes.overlaps(sum.place..<sum.place + sum.width) { continue }
      }
      places.append(Place(step: number, bit: bit, field: field))
    }
    return places
  }

  private mutating func put(_ number: Int128, at place: Place) {
    guard var bytes = plain[place.step] else { return }
    let bits = UInt64(truncatingIfNeeded: number)
    for index in 0..<place.field.bits {
      let isSet = bits >> UInt64(index) & 1 != 0
      // The bit of the answer: bit 0 is the highest one of the first byte.
      let bit =
        place.field.isLittleEndian
        ? place.bit + index / 8 * 8 + 7 - index % 8 : place.bit + place.field.bits - 1 - index
      let mask = UInt8(0x80) >> UInt8(bit % 8)
      bytes[bit / 8] = isSet ? bytes[bit / 8] | mask : bytes[bit / 8] & ~mask
    }
    plain[place.step] = bytes
  }

  /// The bytes of the answer to a step, with its checksums.
  private func answer(to step: Int) -> [UInt8] {
    let bytes = plain[step] ?? []
    switch steps[step] {
    case .read(_, _, let checksum?): return checksum.added(to: bytes)
    case .receive(let frame, _, _):
      guard let sum = frame.sum else { return bytes }
      let expected = sum.expected(in: bytes)
      var whole = bytes
      whole[sum.place + sum.width - 1] = UInt8(expected & 0xFF)
      if sum.width == 2 { whole[sum.place] = UInt8(expected >> 8) }
      return whole
    default: return bytes
    }
  }

  // MARK: - Numbers

  /// The values after one measurement; nil if a formula divides by zero.
  private func values() -> [Int128]? {
    var values = sheet.values(settings)
    for (number, step) in steps.enumerated() {
      if let bytes = plain[number] { Sheet.take(step.fields, from: bytes, into: &values) }
    }
    guard (try? sheet.calculate(&values)) != nil else { return nil }
    return values
  }

  /// The number that a reading gives with these answers; nil if a formula divides by zero.
  package func number(_ name: String) -> Double? { values().map { sheet.reading(name, $0, settings) } }

  /// The number of a reading with another number in a field.
  private func number(_ name: String, with raw: Int128, at place: Place) -> Double? {
    var copy = self
    copy.put(raw, at: place)
    return copy.number(name)
  }

  /// Assigns the fields to the readings.
  private mutating func assign(_ places: [Place]) {
    var taken: [Place] = []
    for (name, _) in sheet.readings {
      let base = number(name)
      let sampled = places.map { place in (place: place, numbers: samples(of: name, at: place)) }
        .filter { $0.numbers.contains { $0 != base } }
      // A field with which a formula divides by zero is a fault rather than a digit of the number.
      let plain = sampled.filter { !$0.numbers.contains(nil) }
      let changing = (plain.isEmpty ? sampled : plain).map(\.place)
      let free = changing.filter { !taken.contains($0) }
      searched[name] = free.isEmpty ? changing : free
      taken += free
    }
  }

  /// Changes the answers, so that a reading gives the number, or the nearest one that the chip can give.
  ///
  /// - Parameter name: the name of the reading.
  package mutating func set(_ number: Double, _ name: String) {
    guard let places = searched[name] else { return }
    // The fields with the greatest effect come first, like the digits of a number.
    let ranked = places.map { place in (place: place, effect: effect(of: place, on: name)) }
      .sorted { abs($0.effect) > abs($1.effect) }
    for (place, effect) in ranked { put(effect < 0 ? place.range.upperBound : place.range.lowerBound, at: place) }
    for (index, (place, effect)) in ranked.enumerated() {
      put(raw(of: number, name, at: place, isRising: effect >= 0, isLast: index == ranked.count - 1), at: place)
    }
  }

  /// The readings with numbers of a field from its lowest to its highest one; nil if a formula divides by zero.
  private func samples(of name: String, at place: Place) -> [Double?] {
    let range = place.range
    let middle = (range.lowerBound + range.upperBound) / 2
    return [range.lowerBound, range.lowerBound + 1, middle, range.upperBound].map { number(name, with: $0, at: place) }
  }

  /// The difference that a field makes to a reading, from its lowest to its highest number.
  private func effect(of place: Place, on name: String) -> Double {
    let numbers = samples(of: name, at: place).compactMap { $0 }
    return (numbers.last ?? 0) - (numbers.first ?? 0)
  }

  /// The number of a field with which a reading is at most the wanted one; of the last field, the one with which it is
  /// nearest.
  private func raw(of wanted: Double, _ name: String, at place: Place, isRising: Bool, isLast: Bool) -> Int128 {
    let range = place.range
    func raw(_ step: Int128) -> Int128 { isRising ? range.lowerBound + step : range.upperBound - step }
    func reading(_ step: Int128) -> Double { number(name, with: raw(step), at: place) ?? .infinity }
    var (low, high) = (Int128(0), range.upperBound - range.lowerBound)
    let last = high
    while low < high {
      let middle = (low + high + 1) / 2
      if reading(middle) <= wanted { low = middle } else { high = middle - 1 }
    }
    if isLast, low < last, abs(reading(low + 1) - wanted) < abs(reading(low) - wanted) { low += 1 }
    return raw(low)
  }

  /// Takes the bytes of a device that gets the same writes. Its settings have an effect on formulas only.
  package mutating func takeBytes(of other: SheetAnswers) {
    if writes == other.writes { plain = other.plain }
  }

  /// The bytes of each write of the program.
  private var writes: [[UInt8]?] {
    let values = sheet.values(settings)
    return steps.compactMap { step in
      switch step {
      case .write(let formulas), .transfer(let formulas, _):
        .some(try? formulas.map { UInt8(truncatingIfNeeded: try $0.value(values)) })
      case .read, .receive, .wait, .until, .expect: .none
      }
    }
  }

  // MARK: - Serial

  /// The frames of a serial device for a write of the program; nil if the sheet has no such write.
  ///
  /// - Parameter bytes: the write; nil for the frames that the device sends by itself.
  package func frames(after bytes: [UInt8]?) -> [[UInt8]]? {
    let values = sheet.values(settings)
    var isAsked = bytes == nil
    var isKnown = isAsked
    var frames: [[UInt8]] = []
    for (number, step) in steps.enumerated() {
      switch step {
      case .write(let formulas):
        let written = try? formulas.map { UInt8(truncatingIfNeeded: try $0.value(values)) }
        isAsked = bytes != nil && written == bytes && frames.isEmpty
        isKnown = isKnown || isAsked
      case .receive where isAsked: frames.append(answer(to: number))
      default: break
      }
    }
    return isKnown ? frames : nil
  }
}

extension Sheet {
  /// The registers that its steps read.
  package var readRegisters: [Register] { (identify + once + check + measure).map(\.register).filter { !$0.isEmpty } }
}

extension Sheet.Step {
  /// The fields of the answer; none for a step that takes no number.
  fileprivate var fields: [Sheet.Field] {
    switch self {
    case .read(_, let fields, _), .transfer(_, let fields), .receive(_, let fields, _): fields
    case .write, .wait, .until, .expect: []
    }
  }

  /// The register that the step reads; empty for none.
  fileprivate var register: Sheet.Register {
    switch self {
    case .read(let register, _, _), .until(let register, _, _, _), .expect(let register, _): register
    case .write, .transfer, .receive, .wait: []
    }
  }

  /// The number of bytes of the answer without checksums; nil for a step that reads nothing.
  fileprivate var answerLength: Int? {
    switch self {
    case .read(_, let fields, _), .transfer(_, let fields): Sheet.byteCount(fields, nil)
    case .receive(let frame, _, _): frame.length
    case .until, .expect: 1
    case .write, .wait: nil
    }
  }
}

extension Sheet.Checksum {
  /// The bytes with a checksum after each group.
  fileprivate func added(to bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: after).flatMap { begin in
      let group = Array(bytes[begin..<min(begin + after, bytes.count)])
      return group + [value(group)]
    }
  }
}
