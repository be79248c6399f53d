import PanelLanguage

/// Numbers for the events of a panel's drivers, so that events are compared as numbers.
package struct EventNumbering: Sendable {
  private var inputs: [Int] = []
  private var groups: [Int] = []
  private var sounds = 0
  private var soundGroups = 0
  private var hardware = 0
  private var asked = 0
  private let chipCount: Int
  package private(set) var count = 0

  package init(of panel: PanelDefinition) {
    chipCount = panel.chips.count
    inputs = panel.inputs.map { take($0.device.events.count) }
    groups = panel.inputGroups.map { group in take(panel.inputs[group.first].device.events.count) }
    sounds = take(panel.sounds.count)
    soundGroups = take(panel.soundGroups.count)
    hardware = take(2 * panel.allHardware.count)
    asked = take(panel.accept.events.count)
  }

  /// Reserves `count` numbers. Returns the first.
  private mutating func take(_ count: Int) -> Int {
    defer { self.count += count }
    return self.count
  }

  var all: Range<Int> { 0..<count }

  @inline(__always)
  package subscript(event: PanelEvent) -> Int {
    switch event {
    case .input(let input, let word): inputs[input] + word
    case .anyInput(let group, let word): groups[group] + word
    case .finished(let sound): sounds + sound
    case .anyFinished(let group): soundGroups + group
    case .lost(let lost): hardware + 2 * lost.index(chips: chipCount)
    case .restored(let restored): hardware + 2 * restored.index(chips: chipCount) + 1
    case .asked(let event): asked + event
    }
  }
}
