import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// The lenses of devices of one kind, and what a journal says of the events of each.
struct PanelLenses {
  let lenses: [AnyLenses<PanelFrame>]
  /// Of each lens.
  var journals: [LensJournal]

  /// Lenses of which the same is said.
  init(lenses: AnyLenses<PanelFrame>, journal: LensJournal) {
    self.lenses = [lenses]
    journals = Array(repeating: journal, count: lenses.lensCount)
  }

  init(joining parts: [PanelLenses]) {
    lenses = parts.flatMap(\.lenses)
    journals = parts.flatMap(\.journals)
  }
}

/// What a journal says of the events of one lens.
struct LensJournal {
  var source: PanelTrouble.Source
  /// The text of an event; nil for an event without one.
  var text: (Any) -> String? = { _ in nil }
  /// Whether the lens is of inputs.
  var isInput = false
  /// Whether an event is trouble, which is logged as a warning.
  var isTrouble: (Any) -> Bool = { _ in false }
}

/// The hardware of a panel.
struct PanelHardware {
  var chip: any GPIOChip
  var bus: (I2CBusPort) -> any I2CBus
  var loop: any EventLoop
}

/// What the lenses of inputs are made with.
struct InputLensContext {
  let rules: PanelRules
  let platform: Platform
  let chip: any GPIOChip
  /// The numbers and the names of the devices in the file.
  let inputs: [Int]
  let names: [String]
  /// The number of the lenses' source of trouble.
  let source: Int
  /// Whether the start fails if the hardware can't be had.
  let isRequired: Bool
}

/// What the lenses of outputs are made with.
struct OutputLensContext {
  let rules: PanelRules
  let show: PanelShow
  let platform: Platform
  let chip: any GPIOChip
  /// The numbers of the devices in the file.
  let outputs: [Int]
  /// The number of the lenses' source of trouble.
  let source: Int
  let isRequired: Bool
}

/// What an event of an input's driver means to a panel.
enum InputReport: Equatable {
  /// The event at this place in ``InputKind/events``.
  case event(Int)
  /// Edges of the input's lines were lost, so many at least.
  case edgesLost(Int)
}

/// A kind of input whose devices are on GPIO lines: one driver for all that follow each other in the file.
protocol LineInputKind: DrivenInputKind {
  associatedtype Device: LineDevice where Device.Model == NoModel

  func device(on chip: any GPIOChip) -> Device
  static func report(of event: Device.Event) -> InputReport?
}

extension LineInputKind {
  static func lenses(of devices: [Self], in context: InputLensContext) -> PanelLenses {
    let (rules, inputs) = (context.rules, context.inputs)
    let source = PanelTrouble.Source(lens: plural, hardware: .gpio, number: context.source)
    let (events, names) = (devices.map(\.events), context.names)
    return PanelLenses(
      lenses: AnyLenses {
        LensList(
          each: devices.map { $0.device(on: context.chip) }, name: source.lens,
          on: { frame, event, past in
            guard case .device(let number, let event) = event else { return }
            switch report(of: event) {
            case .event(let place): rules.react(to: .input(inputs[number], place), at: past.moment, in: &frame)
            case .edgesLost(let count): frame.noteLoss(of: count, at: inputs[number])
            case nil: break
            }
          },
          trouble: { frame, trouble in rules.note(trouble, of: source, in: &frame) }, isRequired: context.isRequired)
      },
      journal: LensJournal(
        source: source,
        text: { event in
          guard case .device(let number, let event)? = event as? Each<Device>.Event, names.indices.contains(number)
          else { return nil }
          return switch report(of: event) {
          case .event(let place): "\(names[number]).\(events[number][place])"
          case .edgesLost(let count): "\(names[number]): \(LossLog.text(of: count))"
          case nil: nil
          }
        },
        isTrouble: { event in
          guard case .device(_, let event)? = event as? Each<Device>.Event, case .edgesLost? = report(of: event) else {
            return false
          }
          return true
        }))
  }
}

/// A kind of output whose devices are on GPIO lines: one driver for all of them.
protocol LineOutputKind: OutputKind {
  associatedtype Device: LineDevice

  func device(on chip: any GPIOChip) -> Device
  func model(of appearance: Appearance, in values: PanelShow.Values) -> Device.Model
}

extension LineOutputKind {
  static func lenses(of devices: [Self], in context: OutputLensContext) -> PanelLenses {
    let (rules, show) = (context.rules, context.show)
    let source = PanelTrouble.Source(lens: plural, hardware: .gpio, number: context.source)
    let safe = zip(devices, context.outputs).map { device, output in
      device.model(of: rules.panel.safe[output], in: show.values(in: rules.seed))
    }
    return PanelLenses(
      lenses: AnyLenses {
        LensList(
          each: devices.map { $0.device(on: context.chip) }, name: source.lens,
          show: show.filter(of: context.outputs) { number, appearance, values in
            devices[number].model(of: appearance, in: values)
          },
          trouble: { frame, trouble in rules.note(trouble, of: source, in: &frame) }, safe: safe,
          isRequired: context.isRequired)
      },
      journal: LensJournal(source: source))
  }

  func show(safe: Appearance, in values: PanelShow.Values, on hardware: PanelHardware) throws(DriverError) {
    let model = model(of: safe, in: values)
    let cycle = Cycle(seed: true) {
      Lens(device(on: hardware.chip), show: { _ in model }, safe: model, isRequired: true)
    }
    try cycle.start(on: hardware.loop)
    cycle.stop()
  }
}

/// What can be seen of one output.
struct OutputView {
  /// The panel's chip if it is simulated, else nil.
  let chip: SimulatedChip?
  /// The output if it is a simulated display.
  let display: SimulatedCharacterDisplay?
  let values: PanelShow.Values
  /// How long the output has shown what it shows.
  let age: Duration

  /// Whether a simulated line is at the level that lights a lamp; nil on a real chip, whose lines aren't read.
  func isActive(_ line: String, _ active: ActiveLevel) -> Bool? {
    guard let chip else { return nil }
    return (chip.line(LineName(line)).level == .high) == (active == .high)
  }
}
