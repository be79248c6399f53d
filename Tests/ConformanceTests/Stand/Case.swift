import CycleCore

/// What a case found to be otherwise than it should be.
final class Findings {
  private(set) var failures: [String] = []

  func expect(_ isTrue: Bool, _ claim: String) {
    if !isTrue { failures.append("not so: \(claim)") }
  }

  /// What helps to understand the failures.
  func note(_ text: String) { failures.append(text) }

  /// Does something that may throw: an error is a failure.
  func catching(_ what: String, _ body: () throws -> Void) {
    do { try body() } catch { failures.append("\(what): \(error)") }
  }

  func equal<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
    if found != expected { failures.append("\(what): expected \(expected), found \(found)") }
  }
}

/// What not every stand can do.
enum Ability: String, Sendable {
  /// Time passes only as the case says, so moments are exact.
  case exactTime = "exact moments"
  /// The kernel's interface that numbers edges: a loss can be counted.
  case numbers = "numbered edges"
  /// One request for lines of several chips.
  case severalChips = "a request on several chips"
  /// Chips that are files, and other files.
  case paths = "chips by their paths"
  /// Other programs see whether a line is an input or an output.
  case directions = "directions that others see"
  /// A card that can be pulled out.
  case removing = "a card that can be taken away"
  /// A position that stands still while the device claims to run.
  case stalling = "a stalled device"
  /// A device with a clock of its own, and one that takes many samples at a time.
  case drifting = "a device with a clock of its own"
  /// A sound server that is killed.
  case ending = "a sound server that ends"
  /// A machine that sleeps while it plays.
  case suspending = "a suspended device"
  /// A device that plays nothing but 32 bits a sample, or more than two channels.
  case formats = "a device with other formats"
  /// A player on a thread of its own, which signals interrupt.
  case interrupting = "a thread that signals interrupt"
  /// A device with one rate, one format or one channel.
  case restricting = "a device with few abilities"
  /// What comes out of the device can be listened to.
  case hearing = "a device that can be heard"
  /// A mixer of which the left and the right side can differ.
  case sides = "a mixer with two sides"
  /// A card that takes its volume back while it stays itself.
  case stripping = "a card that loses its volume"
  /// A mixer that can't be muted.
  case noSwitch = "a mixer without a switch"
  /// A PWM channel that a killed program has left running.
  case leaving = "a channel that a killed program has left"
  /// The edges of a line that PWM drives.
  case pulses = "pulses on a line"
  /// A lamp that a trigger of the kernel drives.
  case triggers = "a lamp with a trigger"
  /// A driver of the kernel for the same chip.
  case drivers = "a driver of the kernel for the chip"
  /// Somebody else turns the volume.
  case mixing = "a mixer"
}

/// One thing that drivers promise, written once. It doesn't know where it runs.
struct Case<Stand>: Sendable, CustomStringConvertible {
  let name: String
  let needs: [Ability]
  let body: @Sendable (Stand, Findings) throws -> Void

  init(_ name: String, needs: [Ability] = [], _ body: @escaping @Sendable (Stand, Findings) throws -> Void) {
    self.name = name
    self.needs = needs
    self.body = body
  }

  var description: String { name }

  /// Expects an error of a kind whose text has a beginning.
  static func expect(_ error: DriverError?, _ kind: DriverError.Kind, _ beginning: String, _ findings: Findings) {
    findings.equal("kind", error?.kind, kind)
    let text = "\(error.map { "\($0)" } ?? "no error")"
    findings.expect(text.hasPrefix(beginning), "\"\(text)\" begins with \"\(beginning)\"")
  }

  /// What the body throws; nil if it throws nothing, or no error of a driver.
  static func error(_ body: () throws -> Void) -> DriverError? {
    do {
      try body()
      return nil
    } catch {
      return error as? DriverError
    }
  }
}

/// A stand whose device another program can have, and whose user can lose the right to it.
protocol RefusingStand: AnyObject {
  /// Whether this user may use the device.
  func permit(_ isPermitted: Bool) throws
  /// Another program takes the device, or gives it back.
  func occupy(_ isOccupied: Bool) throws
}

extension Case {
  /// Checks the errors of a device that another program has, and of one that this user may not open.
  ///
  /// - Parameters:
  ///   - busy: the beginning of the error of a device that is taken.
  ///   - refused: the beginning of the error of a missing right.
  ///   - opening: opens the device.
  static func expectRefusals(
    of stand: any RefusingStand, busy: String, refused: String, _ findings: Findings, opening: () throws -> Void
  ) throws {
    try stand.occupy(true)
    let taken = error(opening)
    try stand.occupy(false)
    expect(taken, .busy, busy, findings)
    try stand.permit(false)
    let forbidden = error(opening)
    try stand.permit(true)
    expect(forbidden, .notPermitted, refused, findings)
  }
}
