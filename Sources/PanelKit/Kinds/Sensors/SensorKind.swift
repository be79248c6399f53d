import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// `air: { sensor: { w1: 28-00000a1b2c3d }, min: -20, max: 60, decimals: 1 }`: a number from one of the panel's
/// ``SensorSource``s.
package struct SensorKind: DrivenInputKind {
  package static let grammar = FieldSet(
    name: "a sensor", summary: "number that is read at a fixed interval",
    sample: "air: { sensor: { w1: any }, min: -20, max: 60 }",
    keys: [
      Key(name: "sensor", takes: "the source of the number: { w1: 28-00000a1b2c3d }"),
      Key(
        name: "min", takes: "the least number: -20", isRequired: true, shape: .number(numbers),
        meaning: "lowest number. A lower reading counts as `min`"),
      Key(
        name: "max", takes: "the greatest number: 60", isRequired: true, shape: .number(numbers),
        meaning: "highest number. A higher reading counts as `max`"),
      Key(
        name: "decimals", takes: "the number of decimals: 1", shape: .whole(0...3), usual: "`0`",
        meaning: "number of decimals, also of `min`, `max`, `initial` and `if-lost`"),
      Key(
        name: "initial", takes: "its number before the first reading: 20", shape: .number(numbers),
        usual: "unknown",
        meaning: "number of the sensor before the first reading"),
      Key(
        name: "if-lost", takes: "its number while it is lost: max, min, a number of its range, or keep",
        shape: .oneOf([.words(LossWord.allCases.map(\.rawValue)), .number(numbers)]), usual: "`keep`",
        meaning: "number of the sensor while it is lost. `keep` keeps the number of the last reading"),
      Key(
        name: "every", takes: "the time from one reading to the next: 10s",
        shape: .span(Sensor.shortestInterval...Sensor.longestInterval), usual: "depends on the source",
        meaning: "time from one reading to the next"),
      Key(
        name: "smooth", takes: "a filter: { median: 5 }, { mean: 10s } or { deadband: 0.5 }", shape: .fields(filters),
        usual: "none", meaning: "filter of the readings"),
    ])

  private static let filters = FieldSet(
    name: "a filter of readings",
    keys: [
      Key(
        name: "median", takes: "an odd number 3...15", shape: .whole(Smoothing.medians),
        meaning: "the middle one of this number of readings. A single wrong reading has no effect"),
      Key(
        name: "mean", takes: "a duration: 10s", shape: .span(Smoothing.means),
        meaning: "the mean of the readings in this time"),
      Key(
        name: "deadband", takes: "a number above 0: 0.5", shape: .number(0.001...999_999_999),
        meaning: "a reading counts only if it differs from the last one that counted by this much"),
    ])
  private static let numbers = -999_999_999.0...999_999_999
  package static let control = InputControl.sensor

  package static func place(in kinds: KindList) -> FieldSet {
    var place = grammar
    place.keys[0].shape = .fields(SensorSourceReader(of: kinds).grammar)
    return place
  }

  /// The words that `if-lost` accepts besides numbers.
  private enum LossWord: String, CaseIterable {
    case max, min, keep
  }

  package var unit: String { source.unit }
  package var deviceClass: String? { source.shownClass }
  package var usedPorts: [any Port.Type] { source.usedPorts }
  package var events: [String] { ["lost", "restored", "changed"] }
  package var positions: [String] { ["lost", "there"] }
  package func position(after event: Int) -> Int? {
    switch event {
    case Presence.restored: Presence.isThere
    case Presence.lost: Presence.isLost
    default: nil
    }
  }

  package let source: any SensorSource
  private let readings: SensorNumberRange
  /// The time from one reading to the next.
  let interval: Duration

  /// The filter of the readings; nil for none.
  private let smoothing: Smoothing?

  package var scale: SensorNumberRange? { readings }
  package var readingAtStart: Int? {
    source.numberAtStart.flatMap { readings.whole($0) }
      .map { min(readings.range.upperBound, max(readings.range.lowerBound, $0)) }
  }
  package var readingDelay: Duration {
    let delay = source.delay(every: interval)
    return switch smoothing {
    case .median(let count): delay + interval * count
    case .mean(let span): delay + span + interval
    case .deadband, nil: delay
    }
  }
  package var lines: [String] { source.lines }
  package var hardware: [DeviceHardware] { source.hardware }
  package var origin: String? { source.origin }

  package static func == (first: SensorKind, second: SensorKind) -> Bool {
    first.source.isEqual(to: second.source) && first.readings == second.readings && first.interval == second.interval
      && first.smoothing == second.smoothing
  }

  package init?(reading fields: DeviceFields) {
    let source = SensorSourceReader(of: fields.kinds).source(reading: fields)
    let decimals = fields.whole("decimals") ?? 0
    let intervals = source.map { type(of: $0).intervals } ?? Sensor.shortestInterval...Sensor.longestInterval
    let interval = fields.duration("every", in: intervals)
    let least = fields.reading("min", decimals)
    let greatest = fields.reading("max", decimals)
    let initial = fields.reading("initial", decimals)
    if let source, !type(of: source).isPolled, let field = fields["every"] {
      fields.problems.add(
        field.position, "\(quoted(fields.name)) is read when its device sends; leave every out")
    }
    guard let source, let least, let greatest, let smoothing = Self.smoothing(fields, source) else { return nil }
    self.smoothing = smoothing.filter
    guard least < greatest else {
      fields.problems.add(
        fields["min"]?.node.position ?? .start, "min of \(quoted(fields.name)) is not below max; swap them")
      return nil
    }
    if let initial, !(least...greatest).contains(initial), let field = fields["initial"] {
      fields.problems.add(
        field.node.position,
        "initial of \(quoted(fields.name)) is out of its range; write \(Quantity.text(least, decimals: decimals))..."
          + Quantity.text(greatest, decimals: decimals))
    }
    self.source = source
    self.interval = interval ?? type(of: source).usualInterval
    var readings = SensorNumberRange(range: least...greatest, decimals: decimals, initial: initial)
    readings.lost = fields.lost(in: readings)
    readings.isLossDecided = fields.has("if-lost")
    readings.readable = source.readable.compactMap { numbers in
      guard let low = readings.whole(numbers.lowerBound), let high = readings.whole(numbers.upperBound) else {
        return nil
      }
      return low...high
    }
    self.readings = readings
    noteUnreadable(fields)
  }

  /// The filter of the file; nil if it is wrong.
  private static func smoothing(_ fields: DeviceFields, _ source: any SensorSource) -> (filter: Smoothing?, Void)? {
    guard fields.has("smooth") else { return (nil, ()) }
    guard type(of: source).canSmooth else {
      fields.addProblem(
        at: "smooth", "the readings of \(type(of: source).grammar.name) can't be filtered; leave smooth out")
      return nil
    }
    guard let place = fields.inside("smooth", filters) else { return nil }
    guard place.all.count == 1 else {
      fields.addProblem(at: "smooth", "a sensor has one filter: { median: 5 }, { mean: 10s } or { deadband: 0.5 }")
      return nil
    }
    if place.has("median") {
      guard let count = place.whole("median") else { return nil }
      guard !count.isMultiple(of: 2) else {
        place.addProblem(
          at: "median", "\(count) readings have no middle one; write an odd number, such as \(count + 1)")
        return nil
      }
      return (.median(count), ())
    }
    if place.has("mean") { return place.duration("mean").map { (.mean($0), ()) } }
    return place.number("deadband").map { (.deadband($0), ()) }
  }

  /// Adds a note for an end of the range that is beyond all numbers that the sensor can read. A number that is infinite
  /// stands for a sensor that finds nothing.
  private func noteUnreadable(_ fields: DeviceFields) {
    let numbers = source.readable.filter { $0.lowerBound.isFinite || $0.upperBound.isFinite }
    guard let low = numbers.map(\.lowerBound).min(), let high = numbers.map(\.upperBound).max() else { return }
    let factor = Double(Quantity.powerOfTen(readings.decimals))
    func note(_ key: String, _ word: String, _ number: Double) {
      guard let whole = Int(exactly: number.rounded()) else { return }
      let text = Quantity.text(whole, decimals: readings.decimals)
      fields.problems.note(
        fields[key]?.node.position ?? .start,
        "\(key) of \(quoted(fields.name)) is \(word) what the sensor can read; write \(key): \(text)")
    }
    if Double(readings.range.lowerBound) < (low * factor).rounded(.down) { note("min", "below", low * factor) }
    if Double(readings.range.upperBound) > (high * factor).rounded(.up) { note("max", "above", high * factor) }
  }

  package func wiring(named name: String) -> WiringPlan.Device? { source.wiring(named: name) }

  package static func lenses(of devices: [SensorKind], in context: InputLensContext) -> LensBundle {
    LensBundle(
      joining: devices.indices.map { index in
        let device = devices[index]
        return device.source.lenses(
          in: SensorLensContext(
            rules: context.rules, platform: context.platform, chip: context.chip, input: context.inputs[index],
            name: context.names[index], source: context.source, interval: device.interval, scale: device.readings,
            smoothing: device.smoothing, isRequired: context.isRequired))
      })
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    source.world(on: chip, platform).map { .sensor($0) } ?? .none
  }
}

extension DeviceFields {
  /// The number of the lost sensor; nil for its last number.
  fileprivate func lost(in scale: SensorNumberRange) -> Int? {
    guard let field = self["if-lost"] else { return nil }
    if case .scalar(let text) = field.node.content {
      switch text {
      case "keep": return nil
      case "max": return scale.range.upperBound
      case "min": return scale.range.lowerBound
      default: break
      }
    }
    guard let number = reading("if-lost", scale.decimals) else { return nil }
    guard scale.range.contains(number) else {
      let range = "\(scale.text(of: scale.range.lowerBound))...\(scale.text(of: scale.range.upperBound))"
      problems.add(
        field.node.position,
        "\(scale.text(of: number)) is outside the range of \(quoted(name)); write \(range), min, max or keep")
      return nil
    }
    return number
  }

  /// A number with at most `decimals` decimals.
  fileprivate func reading(_ key: String, _ decimals: Int) -> Int? {
    guard let field = self[key], let text = problems.text(field) else { return nil }
    guard let (number, own) = Quantity.decimal(text) else {
      problems.addWrong(field)
      return nil
    }
    guard own <= decimals else {
      problems.add(
        field.node.position,
        "\(quoted(key)) is \(text), which has more than \(counted(decimals, "decimal")); give it decimals: \(own)")
      return nil
    }
    return number * Quantity.powerOfTen(decimals - own)
  }
}
