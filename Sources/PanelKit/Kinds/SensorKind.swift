import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// `air: { sensor: { w1: 28-00000a1b2c3d }, min: -20, max: 60, decimals: 1 }`: a number that the kernel reads, or that is in a file.
struct SensorKind: DrivenInputKind {
  static let grammar = Place(
    name: "a sensor",
    keys: [
      Key(name: "sensor", takes: "where its number is: { w1: 28-00000a1b2c3d }", shape: .fields(SensorPlace.grammar)),
      Key(name: "min", takes: "the least number: -20", isRequired: true, shape: .text),
      Key(name: "max", takes: "the greatest number: 60", isRequired: true, shape: .text),
      Key(name: "decimals", takes: "how many decimals count: 1", shape: .whole(0...3)),
      Key(name: "initial", takes: "what it counts as before it has been read: 20", shape: .text),
      Key(name: "every", takes: "how often it is read: 10s", shape: .duration),
    ])
  static let control = InputControl.sensor

  static let (isLost, isThere) = (0, 1)
  static let (lost, restored) = (0, 1)
  var events: [String] { ["lost", "restored"] }
  var positions: [String] { ["lost", "there"] }
  func position(after event: Int) -> Int? { event == Self.restored ? Self.isThere : Self.isLost }

  let place: SensorPlace
  private let numbers: ReadingScale
  /// 10 ms...1 h.
  let interval: Duration

  var scale: ReadingScale? { numbers }
  var lines: [String] { [] }

  init?(reading fields: DeviceFields) {
    let decimals = fields.problems.whole(fields["decimals"], in: 0...3) ?? 0
    let interval = fields.duration("every", in: Sensor.shortestInterval...Sensor.longestInterval)
    let least = fields.reading("min", decimals)
    let greatest = fields.reading("max", decimals)
    let initial = fields.reading("initial", decimals)
    guard let place = SensorPlace(reading: fields), let least, let greatest else { return nil }
    guard least < greatest else {
      fields.problems.add(
        fields["min"]?.node.position ?? .start, "min of \(quoted(fields.name)) is not below max; exchange them")
      return nil
    }
    if let initial, !(least...greatest).contains(initial), let field = fields["initial"] {
      fields.problems.add(
        field.node.position,
        "initial of \(quoted(fields.name)) is out of its range; write \(Quantity.text(least, decimals: decimals))..."
          + Quantity.text(greatest, decimals: decimals))
    }
    self.place = place
    self.interval = interval ?? place.usualInterval
    numbers = ReadingScale(range: least...greatest, decimals: decimals, initial: initial ?? least)
  }

  func wiring(named name: String) -> WiringPlan.Device? { place.wiring(named: name) }

  static func lenses(of devices: [SensorKind], in context: InputLensContext) -> PanelLenses {
    let (rules, inputs, names) = (context.rules, context.inputs, context.names)
    return PanelLenses(
      lenses: AnyLenses {
        LensList(count: devices.count) { index in
          let (device, input) = (devices[index], inputs[index])
          let source = PanelTrouble.Source(lens: names[index], hardware: nil, number: context.source)
          return Lens(
            Sensor(device.place.source(on: context.platform), settings: .init(decimals: device.numbers.decimals)),
            name: names[index], showing: .every(device.interval),
            on: { frame, event, past in
              guard case .reading(let number) = event else { return }
              rules.read(device.numbers.whole(number), of: input, at: past.moment, in: &frame)
            }
          ).onTrouble { frame, trouble, past in
            rules.note(trouble, of: source, at: past.moment, in: &frame)
            switch trouble {
            case .lost, .failed: rules.lose(sensor: input, at: past.moment, in: &frame)
            case .restored, .eventsLost: break
            }
          }
        }
      },
      journals: names.map { name in
        LensJournal(
          source: PanelTrouble.Source(lens: name, hardware: nil, number: context.source),
          text: { event in
            guard case .reading(let number)? = event as? Sensor.Event else { return nil }
            return "\(name) reads \(number)"
          })
      })
  }

  func world(on chip: SimulatedChip, _ platform: Platform) -> InputWorld {
    platform.simulatedNumber(at: place).map { .source($0) } ?? .none
  }
}

extension ReadingScale {
  /// A number as the panel counts it.
  func whole(_ number: Double) -> Int {
    let scaled = (number * Double(Quantity.powerOfTen(decimals))).rounded()
    return scaled >= Double(range.upperBound)
      ? range.upperBound : scaled <= Double(range.lowerBound) ? range.lowerBound : Int(scaled)
  }
}

extension DeviceFields {
  /// A number with at most so many decimals.
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
