import PanelEngine
import PanelKinds
import PanelLanguage

/// The lens of each device of a panel.
package struct DeviceLensMap {
  package struct Position: Equatable {
    /// The lens's number; -1 for a derived input that needs no lens.
    package var lens = -1
    /// The device's number among those of the lens.
    package var index = 0
    /// Whether the lens's events name their device.
    package var isShared = false
  }

  /// The places of the inputs, in the order of the file; `outputs` has those of the outputs.
  package private(set) var inputs: [Position]
  package private(set) var outputs: [Position]

  /// - Parameters:
  ///   - counts: the number of lenses for each part of the devices: inputs, outputs and interlocks.
  ///   - start: the number of lenses before those of the devices.
  init(of panel: PanelDefinition, lensCounts counts: [Int], after start: Int = 0) {
    inputs = Array(repeating: Position(), count: panel.inputs.count)
    outputs = Array(repeating: Position(), count: panel.outputs.count)
    let parts = DriverGroups(of: panel)
    var (first, rest) = (start, counts[...])
    func places(of numbers: [Int], isShared: Bool) -> [(number: Int, place: Position)] {
      let count = rest.popFirst() ?? 0
      defer { first += count }
      return numbers.enumerated().map { index, number in
        (
          number,
          isShared ? Position(lens: first, index: index, isShared: true) : Position(lens: first + min(index, count - 1))
        )
      }
    }
    for part in parts.inputs {
      for (number, place) in places(of: part.numbers, isShared: part.devices[0] is any LineInputKind) {
        inputs[number] = place
      }
    }
    for numbers in parts.outputs.map({ ($0.numbers, $0.devices[0] is any LineOutputKind) }) {
      for (number, place) in places(of: numbers.0, isShared: numbers.1) { outputs[number] = place }
    }
    for interlock in parts.interlocks {
      for (number, place) in places(of: interlock, isShared: true) { outputs[number] = place }
    }
    for (output, input) in panel.reports.enumerated() {
      if let input { inputs[input] = outputs[output] }
    }
  }
}
