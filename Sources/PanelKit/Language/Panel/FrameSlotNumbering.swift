/// Numbers the parts of a panel whose past a frame keeps: repeated deadlines, waits with a variable time, and sounds
/// that a number selects.
enum FrameSlotNumbering {
  static func set(in panel: inout PanelDefinition) {
    var (repetitions, waits, choices) = (0, 0, 0)
    func next(_ number: inout Int) -> Int {
      defer { number += 1 }
      return number
    }
    for state in panel.states.indices {
      for index in panel.states[state].after.indices {
        switch panel.states[state].after[index].recurrence {
        case .once: break
        case .again: panel.states[state].after[index].recurrence = .again(next(&repetitions))
        case .untouched: panel.states[state].after[index].recurrence = .untouched(next(&repetitions))
        }
        switch panel.states[state].after[index].delay {
        case .fixed: break
        case .drawn(let range, _): panel.states[state].after[index].delay = .drawn(range, wait: next(&waits))
        case .value(let value, _): panel.states[state].after[index].delay = .value(value, wait: next(&waits))
        }
      }
      for index in panel.states[state].play.indices {
        if case .member(let group, let number, _) = panel.states[state].play[index] {
          panel.states[state].play[index] = .member(group: group, number, choice: next(&choices))
        }
      }
    }
  }
}
