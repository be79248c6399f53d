/// The model of a driver without outputs. It is never rendered.
@frozen
public struct NoModel: Equatable, Sendable {
  @inlinable
  public init() {}
}
