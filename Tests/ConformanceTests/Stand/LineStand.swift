import CycleCore
import HardwareDrivers
import HardwareSimulation

/// A chip for the program, and the world around it.
protocol LineStand: AnyObject {
  var bench: Bench { get }
  var chip: any GPIOChip { get }
  /// The same chip, for another program.
  var othersChip: any GPIOChip { get }
  /// How late something may be noticed.
  var tolerance: Duration { get }

  /// Why the stand can't do this; nil if it can.
  func reason(against ability: Ability) -> String?

  /// Drives an input of the chip from outside, `GPIO0` to `GPIO27` by their numbers.
  func drive(_ line: Int, _ level: Level) throws
  /// What a meter at the line shows.
  func level(_ line: Int) throws -> Level
  /// Who holds a line, as other programs see it; nil if nobody does.
  func consumer(_ line: Int) throws -> String?
  /// Whether a line is an output, as other programs see it.
  func isOutput(_ line: Int) throws -> Bool
  /// The path of the chip's node.
  func path() throws -> String
  /// Another chip beside the first one, gone with the stand.
  ///
  /// - Parameters:
  ///   - names: of its lines; an empty one is a line without a name.
  ///   - hogs: lines that the kernel holds itself, and in whose name.
  func addChip(_ label: String, _ names: [String], hogs: [Int: String]) throws -> SecondChip
  /// Whether this user may use the chip.
  func permit(_ isPermitted: Bool) throws
  func unplug() throws
  func plug() throws
  /// What every case ends with.
  func end() throws
}

/// Another chip of a stand: for the program, and from outside.
struct SecondChip {
  let chip: any GPIOChip
  let drive: (_ offset: Int, Level) throws -> Void
  let level: (_ offset: Int) throws -> Level
}

extension LineStand {
  /// Lets so many milliseconds pass, and then as many as it may take until all is noticed.
  func pass(_ milliseconds: Int = 0) throws(DriverError) {
    try bench.advance(by: .milliseconds(milliseconds) + tolerance)
  }

  /// Another program takes lines. Throws if one is held already.
  func hold(_ lines: [Int], as consumer: String) throws(DriverError) -> any LineRequest {
    try othersChip.request(lines.map { LineConfiguration(name($0), .input(.asIs)) }, consumer: consumer)
  }

  /// Whether nobody holds these lines.
  func areFree(_ lines: [Int]) -> Bool {
    guard let request = try? hold(lines, as: "test") else { return false }
    request.release()
    return true
  }

  func name(_ line: Int) -> LineName { LineName("GPIO\(line)") }
}
