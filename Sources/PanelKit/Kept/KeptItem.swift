import CycleCore
import HardwareDrivers

/// A number that a panel keeps over restarts.
struct KeptItem: Equatable, Sendable {
  /// The index of the value.
  var value: Int
  /// Its name in the file.
  var name: String
  /// What it can be.
  var range: ClosedRange<Int>
  var initial: Int
  /// How long after a change it may be unsaved.
  var within: Duration
}

extension PanelDefinition.Value {
  /// How a value is kept.
  struct Keeping: Equatable, Sendable {
    /// How long after a change it may be unsaved.
    var within = Duration.seconds(10)
    var position: Position
  }
}

extension PanelDefinition {
  /// What the panel keeps, in the order of the file; empty for a panel that keeps nothing.
  var keptItems: [KeptItem] {
    values.enumerated().compactMap { number, value in
      value.kept.map {
        KeptItem(
          value: number, name: value.name, range: value.min...value.max, initial: value.initial, within: $0.within)
      }
    }
  }

  /// How many numbers of a frame are about what is kept: what each item began with, and whether it can't be saved.
  var keptCount: Int {
    let count = values.count { $0.kept != nil }
    return count == 0 ? 0 : count + 1
  }
}

extension PanelShow {
  /// What is kept, as it is in a frame.
  func kept(_ items: [KeptItem], in frame: PanelFrame) -> KeptValues<PanelFolder>.Model {
    items.map { .init($0.name, frame[value: $0.value], within: $0.within) }
  }
}

extension PanelRules {
  /// Sets the numbers of what is kept in a first frame.
  ///
  /// - Parameter numbers: in the order of ``PanelDefinition/keptItems``; empty for the initial ones.
  func begin(with numbers: [Int], in frame: inout PanelFrame) {
    for (place, item) in panel.keptItems.enumerated() {
      let number = numbers.indices.contains(place) ? numbers[place] : item.initial
      frame[kept: place] = number
      frame[value: item.value] = number
    }
  }
}
