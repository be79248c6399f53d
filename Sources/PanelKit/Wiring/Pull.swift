/// The wiring of a contact to its line, for a button, a switch or an encoder.
package enum Pull: String, Equatable, Sendable, CaseIterable {
  case up, down, none
}
