import HardwareSimulation

extension Program {
  /// A smaller program for which the same still holds.
  ///
  /// - Parameters:
  ///   - tries: how many programs are tried at most.
  ///   - holds: a candidate for which it throws is passed over.
  func shrunk(tries: Int = 300, while holds: @escaping (Program) throws -> Bool) -> Program {
    var shrinker = Shrinker(self, tries: tries, while: holds)
    shrinker.shorten(\.steps) { $0.valid }
    shrinker.replace { program in
      program.devices.count > 1 ? program.devices.indices.map { program.withoutDevice($0) } : []
    }
    shrinker.shorten(\.steps) { $0.valid }
    return shrinker.smallest
  }

  /// Whether its chip is only pulled out where it is plugged in, and plugged in where it is not.
  var isValid: Bool { self == valid }

  /// Without the steps that pull out a chip which is out, or plug in one which is in.
  private var valid: Program {
    var program = self
    var isPlugged = true
    program.steps = steps.filter { step in
      guard step == .plug || step == .unplug else { return true }
      guard isPlugged == (step == .unplug) else { return false }
      isPlugged.toggle()
      return true
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
