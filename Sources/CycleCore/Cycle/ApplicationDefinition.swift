/// A whole application as one type: the first frame, the drivers made from it, and the cycle made from both.
///
///     struct Counter: ApplicationDefinition {
///       static var seed: Int { 0 }
///       func drivers(from seed: Int) -> Button { Button(chip, line: "GPIO17") }
///       func cycle(of button: Button, seed: Int) -> any Application<Frame> {
///         Cycle(seed: seed) { Lens(button, on: { count, event in if event == .pressed { count += 1 } }) }
///       }
///     }
public protocol ApplicationDefinition {
  associatedtype Frame: Equatable
  associatedtype Drivers

  /// The first frame.
  static var seed: Frame { get }

  /// Makes the drivers for the seed. Called once, before the cycle is made.
  func drivers(from seed: Frame) throws(DriverError) -> Drivers

  /// Makes the cycle. Its lenses get the drivers.
  func cycle(of drivers: Drivers, seed: Frame) -> any Application<Frame>
}

extension ApplicationDefinition {
  /// Makes the application, ready to start.
  public func makeCycle() throws(DriverError) -> any Application<Frame> {
    cycle(of: try drivers(from: Self.seed), seed: Self.seed)
  }
}
