import HardwareDrivers

/// A message of Open Sound Control that a transition, `enter` or `exit` sends.
package struct PanelMessage: Equatable, Sendable {
  enum Argument: Equatable, Sendable {
    case fixed(OSCArgument)
    /// A number of the panel at the time of sending, multiplied by 10 ^ `decimals`.
    case number(Number, decimals: Int)
    /// A duration of the panel, in milliseconds.
    case duration(Number)
  }

  /// The address: `/cue/5/start`.
  package var address: String
  var arguments: [Argument] = []

  /// The numbers that are computed when the message is sent, in the order of the arguments.
  package var numbers: [Number] {
    arguments.compactMap { argument in
      switch argument {
      case .fixed: nil
      case .number(let number, _), .duration(let number): number
      }
    }
  }

  /// The arguments with the computed numbers.
  ///
  /// - Parameter results: the results of ``numbers``, in the same order.
  package func arguments(with results: some Sequence<Int>) -> [OSCArgument] {
    var results = results.makeIterator()
    return arguments.map { argument in
      switch argument {
      case .fixed(let argument): argument
      case .number(_, let decimals): .number(results.next() ?? 0, decimals: decimals)
      case .duration: .duration(milliseconds: results.next() ?? 0)
      }
    }
  }

  /// The message in words, as in a scenario: `/fader/1 7`.
  ///
  /// - Parameter results: the results of ``numbers``, in the same order.
  package func words(with results: some Sequence<Int>) -> String {
    OSCMessage(address, arguments(with: results)).words
  }
}

extension OSCArgument {
  /// A number of a panel. A whole number is `i`, limited to the range of 32 bits; a number with decimals is `f`.
  package static func number(_ number: Int, decimals: Int) -> OSCArgument {
    decimals == 0
      ? .integer(Int32(clamping: number)) : .real(Float(Double(number) / Double(Quantity.powerOfTen(decimals))))
  }

  /// A duration of a panel, as text in the notation of a panel file, which `set` accepts.
  package static func duration(milliseconds: Int) -> OSCArgument { .text(Quantity.text(.milliseconds(milliseconds))) }
}
