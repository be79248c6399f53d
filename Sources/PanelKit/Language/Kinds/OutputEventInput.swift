import HardwareDrivers
import PanelWiring

/// The events of an output, as an input of the panel with the name of the output. The driver of the output emits them.
package struct OutputEventInput: InputKind {
  package static let grammar = FieldSet(
    name: "an output", summary: "events of an output", sample: "",
    keys: [Key(name: noun, takes: "nothing, because no file has it", shape: .text)])
  private static let noun = "output"
  package static let control = InputControl.events
  package static var isTouched: Bool { false }

  /// The output that reports the events.
  package let output: any OutputKind

  package init(of output: any OutputKind) { self.output = output }

  package init?(reading fields: DeviceFields) { nil }

  package var lines: [String] { [] }
  package var events: [String] { output.events }
  package var usedPorts: [any Port.Type] { type(of: output).ports }
  package func wiring(named name: String) -> WiringPlan.Device? { nil }

  package static func == (first: OutputEventInput, second: OutputEventInput) -> Bool {
    first.output.isEqual(to: second.output)
  }
}

extension PanelDefinition {
  /// The number of inputs that the file has.
  package var writtenInputCount: Int {
    inputs.count { !($0.device is OutputEventInput) && !($0.device is any ClockInputKind) }
  }

  /// The number of the input with the events of each output; nil for an output without events.
  package var reports: [Int?] {
    var next = inputs.firstIndex { $0.device is OutputEventInput } ?? inputs.count
    return outputs.map { output in
      guard !output.device.events.isEmpty else { return nil }
      defer { next += 1 }
      return next
    }
  }
}
