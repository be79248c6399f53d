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
  /// A card that can be pulled out.
  case removing = "a card that can be taken away"
  /// A position that stands still while the device claims to run.
  case stalling = "a stalled device"
  /// A machine that sleeps while it plays.
  case suspending = "a suspended device"
  /// A device with one rate, one format or one channel.
  case restricting = "a device with few abilities"
  /// What comes out of the device can be listened to.
  case hearing = "a device that can be heard"
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
}
