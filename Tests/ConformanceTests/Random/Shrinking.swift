extension Program {
  /// A smaller program for which the same still holds, as small as leaving out one thing after the other makes it.
  ///
  /// - Parameter tries: how many programs are tried at most.
  func shrunk(tries: Int = 300, while holds: (Program) throws -> Bool) rethrows -> Program {
    var smallest = self
    var rest = tries
    var hasShrunk = true
    while hasShrunk, rest > 0 {
      hasShrunk = false
      for candidate in smallest.smaller where rest > 0 {
        rest -= 1
        if try holds(candidate) {
          smallest = candidate
          hasShrunk = true
          break
        }
      }
    }
    return smallest
  }

  /// The same without one step, or without one device and what is done to it.
  private var smaller: [Program] {
    var programs: [Program] = []
    for index in steps.indices.reversed() {
      var program = self
      program.steps.remove(at: index)
      programs.append(program)
    }
    for index in devices.indices where devices.count > 1 {
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
      programs.append(program)
    }
    return programs
  }
}
