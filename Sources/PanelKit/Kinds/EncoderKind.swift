import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring

/// `knob: { encoder: [GPIO5, GPIO6] }`, or an input device of the kernel: ``AxisEncoderKind``
package struct EncoderKind: LineInputKind {
  package static let grammar = FieldSet(
    name: "an encoder", summary: "knob that turns in detents, at two lines",
    sample: "knob: { encoder: [GPIO5, GPIO6] }",
    keys: [
      Key(
        name: "encoder", takes: "a list of two lines: [GPIO5, GPIO6]",
        shape: .oneOf([.list(of: .line, count: 2...2), .fields(AxisEncoderKind.source)]),
        meaning:
          "the two lines, or an input device whose knob a driver of the kernel reads, such as `{ keys: rotary@11 }`"),
      Pull.key,
      Key(
        name: "edges", takes: "the number of edges from one detent to the next: 4, 2 or 1", shape: .whole(1...4),
        usual: "`4`",
        meaning:
          "number of changes (edges) of both lines from one detent to the next: 4, 2 or 1. If the panel reports one turn for two detents, write `2`"
      ),
    ])
  package static let control = InputControl.knob
  package static var ports: [any Port.Type] { [KeysPort.self] }
  package var usedPorts: [any Port.Type] { [] }

  /// An encoder with a map instead of lines is an axis of an input device.
  package static func members(reading fields: DeviceFields) -> [any InputKind]? {
    if fields.isMap("encoder") { return AxisEncoderKind(reading: fields).map { [$0] } }
    return EncoderKind(reading: fields).map { [$0] }
  }

  package static let clockwise = 0
  package static let counterclockwise = 1
  package var events: [String] { ["clockwise", "counterclockwise"] }

  /// The lines of the first and the second phase.
  package var lines: [String]
  var pull = Pull.up
  /// The number of edges per detent: 4, 2 or 1.
  var edges = 4

  init(lines: [String], pull: Pull = .up) {
    self.lines = lines
    self.pull = pull
  }

  package init?(reading fields: DeviceFields) {
    pull = fields.choice("pull") ?? .up
    edges = fields.whole("edges") ?? 4
    if edges == 3 { fields.addProblem(at: "edges", "\"edges\" is 3; it takes 4, 2 or 1") }
    guard let lines = fields.lines("encoder") else { return nil }
    for line in lines { fields.notePullDown(at: line) }
    self.lines = lines
  }

  package func device(on chip: any GPIOChip) -> RotaryEncoder {
    var settings = RotaryEncoder.Settings()
    settings.bias = Bias(pull)
    settings.isActiveLow = pull != .down
    settings.resolution = edges == 4 ? .fullPeriod : edges == 2 ? .halfPeriod : .quarterPeriod
    return RotaryEncoder(chip, lines: (LineName(lines[0]), LineName(lines[1])), settings: settings)
  }

  package static func report(of event: RotaryEncoder.Event) -> InputReport? {
    switch event {
    case .clockwise: .event(clockwise)
    case .counterclockwise: .event(counterclockwise)
    case .skipped: .edgesLost(1)
    case .edgesLost(let count): .edgesLost(count ?? 1)
    }
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "rotary encoder", direction: .input,
      circuits: [.encoder(a: lines[0], b: lines[1], pull: pull)])
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    .knob(
      Knob(
        platform.bench, a: chip.line(LineName(lines[0])), b: chip.line(LineName(lines[1])), edges: edges,
        closed: pull == .down ? .high : .low,
        open: pull == .none ? .high : nil))
  }
}
