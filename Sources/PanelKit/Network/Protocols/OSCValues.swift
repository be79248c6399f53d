import HardwareDrivers
import PanelEngine
import PanelLanguage

/// Writes values in the form of Open Sound Control.
extension TopicDiff {
  /// Writes the value of a topic as typed arguments.
  func writeOSC(_ topic: Int, to writer: inout PayloadWriter) {
    writer.write(oscArguments: arguments(of: topic))
  }

  /// Whether a topic has a value. An input that has not been read has none.
  func hasValue(_ topic: Int) -> Bool {
    guard case .input(let input) = subjects[topic] else { return true }
    return argument(ofInput: input, numbers[topic]) != nil
  }

  /// The current arguments of a topic:
  ///
  ///     state    ,s idle           input   ,i 1 with two positions, ,s word with more; a sensor ,f 21.5, ,s lost
  ///     value    ,i 7   ,s 1.5s    output  ,is 1 "blink 250ms"
  ///     a list   ,iii 3 1 4        sound   ,i 1 while it plays
  ///     trouble  the names of the lost hardware as texts; empty without trouble
  private func arguments(of topic: Int) -> [OSCArgument] {
    switch subjects[topic] {
    case .state(let region): return [.text(show.path(of: numbers[topic], in: region))]
    case .value(let value):
      let definition = panel.values[value]
      let argument = { (number: Int) -> OSCArgument in
        if definition.isTime { return .text(definition.text(of: number)) }
        return definition.isDuration
          ? .duration(milliseconds: number) : .number(number, decimals: definition.decimals)
      }
      return definition.list == nil ? [argument(numbers[topic])] : (elements[topic] ?? []).map(argument)
    case .input(let input): return argument(ofInput: input, numbers[topic]).map { [$0] } ?? []
    case .output:
      guard let place = outputs[topic] else { return [] }
      let shown = shown.models[place]
      return [.integer(isOn(shown) ? 1 : 0), .text(text(of: shown))]
    case .sound: return [.integer(numbers[topic] == 1 ? 1 : 0)]
    case .trouble: return troubleNames.map { .text($0) }
    case .info, .presence, .discovery, .availability, .event, .stats, .refused, .message: return []
    }
  }

  /// Returns nil for an input that has not been read.
  private func argument(ofInput input: Int, _ number: Int) -> OSCArgument? {
    let device = panel.inputs[input].device
    guard let position = Self.position(ofNumber: number) else {
      return .number(number, decimals: device.scale?.decimals ?? 0)
    }
    guard device.positions.indices.contains(position) else { return nil }
    return device.positions.count == 2 && !device.isNumber && type(of: device).control != .selector
      ? .integer(Int32(position)) : .text(device.positions[position])
  }
}
