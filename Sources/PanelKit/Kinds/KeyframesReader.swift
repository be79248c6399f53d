import CycleCore
import HardwareDrivers
import PanelLanguage

extension DeviceFields {
  /// A sequence of times and values, in the order of their times: `[[0s, red], [1s, green]]`. Adds a problem and returns
  /// nil if it is wrong.
  ///
  /// - Parameters:
  ///   - key: the key of the list.
  ///   - value: reads the second element of a pair by the same key.
  func keyframes<Value>(_ key: String, value: (DeviceFields) -> Value?) -> Keyframes<Value>? {
    guard let elements = elements(key) else { return nil }
    var keys: [Keyframe<Value>] = []
    for element in elements {
      guard let pair = element.elements(key), let field = pair[0][key],
        let time = element.problems.duration(field, in: .zero...LampPattern.spans.upperBound),
        let value = value(pair[1])
      else { return nil }
      // In whole milliseconds, as a keyframe has its time.
      let keyframe = Keyframe(at: time, value)
      if let last = keys.last, keyframe.time <= last.time {
        element.addProblem(
          at: key, "\(Quantity.text(time)) is not after \(Quantity.text(last.time)); write the times in their order")
        return nil
      }
      keys.append(keyframe)
    }
    return Keyframes(keys)
  }
}
