import HardwareDrivers

/// The requests of a panel for a change of the machine's power: their number since the start, and the last one.
extension PanelFrame {
  /// The count of numbers in a frame that has requests.
  static let powerCount = 2

  /// The requests. A panel that has stopped asks for nothing more.
  package var powerRequests: MachinePowerDriver.Model {
    let numbers = places.powerRequests
    guard let last = numbers.last, !isStopped else { return .init() }
    let change = self[number: last]
    return .init(count: self[number: last - 1], change: change == 0 ? nil : PowerChange.allCases[change - 1])
  }

  /// Asks for a change of the machine's power.
  mutating func ask(for change: PowerChange) {
    guard let last = places.powerRequests.last else { return }
    self[number: last - 1] += 1
    self[number: last] = 1 + (PowerChange.allCases.firstIndex(of: change) ?? 0)
  }

  /// Removes the requests that were made after an earlier frame.
  mutating func takeBackPower(since before: PanelFrame) {
    for place in places.powerRequests { self[number: place] = before[number: place] }
  }
}
