import HardwareDrivers

/// A message of Open Sound Control that a transition, `enter` or `exit` sends.
struct PanelMessage: Equatable, Sendable {
  enum Argument: Equatable, Sendable {
    case fixed(OSCArgument)
    /// A number of the panel, multiplied by 10 ^ `decimals`, as it is when the message is sent.
    case number(Number, decimals: Int)
    /// A duration of the panel, in milliseconds.
    case duration(Number)
  }

  /// `/cue/5/start`.
  var address: String
  var arguments: [Argument] = []

  /// What is computed when the message is sent, in the order of the arguments.
  var numbers: [Number] {
    arguments.compactMap { argument in
      switch argument {
      case .fixed: nil
      case .number(let number, _), .duration(let number): number
      }
    }
  }

  /// The arguments with what has been computed.
  ///
  /// - Parameter results: of ``numbers``, in their order.
  func arguments(with results: some Sequence<Int>) -> [OSCArgument] {
    var results = results.makeIterator()
    return arguments.map { argument in
      switch argument {
      case .fixed(let argument): argument
      case .number(_, let decimals): .number(results.next() ?? 0, decimals: decimals)
      case .duration: .duration(milliseconds: results.next() ?? 0)
      }
    }
  }

  /// The message in words, as a scenario has it: `/fader/1 7`.
  ///
  /// - Parameter results: of ``numbers``, in their order.
  func words(with results: some Sequence<Int>) -> String {
    OSCMessage(address, arguments(with: results)).words
  }
}

extension OSCArgument {
  /// A number of a panel: a whole one is `i`, at the nearest end where 32 bits can't hold it; one with decimals is `f`.
  static func number(_ number: Int, decimals: Int) -> OSCArgument {
    decimals == 0
      ? .integer(Int32(clamping: number)) : .real(Float(Double(number) / Double(Quantity.powerOfTen(decimals))))
  }

  /// A duration of a panel: a text, as a panel file has it and `set` takes it.
  static func duration(milliseconds: Int) -> OSCArgument { .text(Quantity.text(.milliseconds(milliseconds))) }
}
