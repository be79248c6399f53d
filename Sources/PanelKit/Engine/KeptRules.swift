import PanelLanguage

extension KeptItem {
  /// Returns the item's number in a frame.
  package func number(in frame: PanelFrame) -> Int {
    switch source {
    case .value(let value): frame[value: value]
    case .element(_, let place): frame[element: place]
    case .state(_, _, let slot, let number): frame[resumed: slot] == number ? 1 : 0
    case .checkedTime: frame[checked: ()]
    case .takenAlarm(let alarm): frame[taken: alarm]
    }
  }
}

extension PanelRules {
  /// Sets the kept values in a first frame.
  ///
  /// - Parameter numbers: the numbers in the order of ``PanelDefinition/keptItems``; empty for the initial ones.
  func begin(with numbers: [Int], in frame: inout PanelFrame) {
    for (place, item) in panel.keptItems.enumerated() {
      let number = numbers.indices.contains(place) ? numbers[place] : item.initial
      frame[kept: place] = number
      take(number, as: item, in: &frame)
    }
  }

  /// Sets the number of a kept item in a frame whose lists have their initial elements. The length of a list has to be
  /// set before its elements.
  package func take(_ number: Int, as item: KeptItem, in frame: inout PanelFrame) {
    switch item.source {
    case .value(let value): frame[value: value] = number
    case .element(let value, let place):
      // The length may be of a different save.
      let definition = panel.values[value]
      guard let list = definition.list, place - list.first < frame[value: value] else { return }
      frame[element: place] = min(max(number, definition.min), definition.max)
    case .checkedTime: frame[checked: ()] = number
    case .takenAlarm(let alarm): frame[taken: alarm] = number
    case .state: break
    }
  }

  /// Enters the first state of a top-level region: its last state if that is in its `resume`, otherwise the initial
  /// one.
  ///
  /// - Parameter numbers: see ``begin(with:in:)``.
  func beginState(of region: Int, with numbers: [Int], in frame: inout PanelFrame, _ finished: inout [Int]) {
    guard !panel.regions[region].resume.isEmpty, let state = resumed(region, numbers) else {
      return enterDefault(region, resumes: false, in: &frame, &finished)
    }
    // Enter the state as if it had been left last.
    frame[remembered: region] = state
    enterDefault(region, resumes: true, in: &frame, &finished)
    frame[remembered: region] = -1
  }

  private func resumed(_ region: Int, _ numbers: [Int]) -> Int? {
    for (item, number) in zip(panel.keptItems, numbers) where number == 1 {
      if case .state(let state, region, _, _) = item.source { return state }
    }
    return nil
  }
}
