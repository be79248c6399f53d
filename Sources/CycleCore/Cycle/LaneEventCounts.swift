/// The counts of a lane's events: `offered = delivered + lost + pending`, at every instant.
public struct LaneEventCounts: Equatable, Sendable {
  public var offered: Int
  public var delivered: Int
  public var lost: Int
  public var pending: Int

  public init(offered: Int, delivered: Int, lost: Int, pending: Int) {
    self.offered = offered
    self.delivered = delivered
    self.lost = lost
    self.pending = pending
  }
}
