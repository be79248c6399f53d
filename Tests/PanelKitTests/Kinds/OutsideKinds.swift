import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import PanelKit

// As a package outside has them: only what is public is at hand.

/// `foot: { pedal: GPIO17 }`: a button that somebody steps on.
struct PedalKind: LineInputKind {
  static let grammar = Place(
    name: "a pedal", summary: "foot switch at a line", sample: "foot: { pedal: GPIO17 }",
    keys: [Key(name: "pedal", takes: "a line: GPIO17", shape: .line)])
  static let control = InputControl.button

  let line: String
  var lines: [String] { [line] }
  var events: [String] { ["down", "up"] }
  var positions: [String] { ["up", "down"] }
  func position(after event: Int) -> Int? { 1 - event }
  var debounce: Duration { .milliseconds(20) }
  var gesture: Gesture? { Gesture(hold: nil, doubleClick: nil, emitsClicks: false) }

  init?(reading fields: DeviceFields) {
    guard let line = fields.line("pedal") else { return nil }
    self.line = line
  }

  func device(on chip: any GPIOChip) -> Button {
    Button(chip, line: LineName(line), settings: .init(debounce: debounce))
  }

  static func report(of event: Button.Event) -> InputReport? {
    switch event {
    case .pressed: .event(0)
    case .released: .event(1)
    case .edgesLost(let count): .edgesLost(count ?? 1)
    default: nil
    }
  }

  func world(on chip: SimulatedChip, _ platform: Platform) -> InputWorld {
    .contact(chip.contact(at: LineName(line)))
  }
}

/// `{ load: 1 }`: how busy the machine is, in the average of so many minutes.
struct LoadSource: NumberSensorSource {
  static let grammar = Place(
    name: "a load", summary: "how busy the machine is", sample: "{ load: 5 }",
    keys: [
      Key(name: "load", takes: "a number of minutes: 5", shape: .whole(1...15)),
      Key(name: "per", takes: "core or machine", isRequired: true, shape: .words(["core", "machine"])),
    ])
  static var usualInterval: Duration { .seconds(5) }

  let place: NumberFile

  init?(reading fields: DeviceFields) {
    guard let minutes = fields.whole("load") else { return nil }
    guard [1, 5, 15].contains(minutes) else {
      fields.addProblem(at: "load", "the kernel has no average of \(minutes) minutes; write 1, 5 or 15")
      return nil
    }
    place = NumberFile("/proc/loadavg")
  }
}
