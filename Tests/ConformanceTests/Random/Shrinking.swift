extension Program {
  /// A smaller program for which the same still holds, as small as leaving out one thing after the other makes it.
  ///
  /// - Parameters:
  ///   - tries: how many programs are tried at most.
  ///   - holds: a candidate for which it throws is passed over.
  func shrunk(tries: Int = 300, while holds: (Program) throws -> Bool) -> Program {
    var smallest = self
    var rest = tries
    var hasShrunk = true
    while hasShrunk, rest > 0 {
      hasShrunk = false
      for candidate in smallest.smaller where rest > 0 {
        rest -= 1
        if (try? holds(candidate)) == true {
          smallest = candidate
          hasShrunk = true
          break
        }
      }
    }
    return smallest
  }

  /// Whether its chip is only pulled out where it is plugged in, and plugged in where it is not.
  var isValid: Bool {
    var isPlugged = true
    for step in steps where step == .plug || step == .unplug {
      guard isPlugged == (step == .unplug) else { return false }
      isPlugged.toggle()
    }
    return true
  }

  /// The same without one step, or without one device and what is done to it.
  private var smaller: [Program] {
    steps.indices.reversed().map(without) + devices.indices.filter { _ in devices.count > 1 }.map(withoutDevice)
  }

  /// Without this step; and where it pulls the chip out or plugs it in, without the step that would undo it.
  private func without(_ index: Int) -> Program {
    var program = self
    let step = program.steps.remove(at: index)
    if step == .plug || step == .unplug,
      let counterpart = program.steps[index...].firstIndex(where: { $0 == .plug || $0 == .unplug })
    {
      program.steps.remove(at: counterpart)
    }
    return program
  }

  private func withoutDevice(_ index: Int) -> Program {
    var program = self
    let gone = program.devices.remove(at: index).lines
    program.steps = steps.compactMap { step in
      switch step {
      case .drive(let line, _), .bounce(let line, _), .takeOrGive(let line): return gone.contains(line) ? nil : step
      case .show(var values):
        values.remove(at: index)
        return .show(values)
      case .unplug, .plug, .restart: return step
      }
    }
    return program
  }
}
