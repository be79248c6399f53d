/// The numbers of troubles and lost edges in a frame. They show without a copy of the frame whether something must be
/// logged.
package struct TroubleSnapshot {
  package let troubles: Int
  /// The least number of lost edges.
  package let lostEdges: Int
  /// Whether the panel has stopped.
  package let isStopped: Bool

  // It takes a pointer because another module would copy the frame for each property that it reads.
  package init(of frame: UnsafePointer<PanelFrame>) {
    troubles = frame.pointee.troubleCount
    lostEdges = frame.pointee.lossCount
    isStopped = frame.pointee.isStopped
  }
}
