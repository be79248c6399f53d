import CycleCore

/// A lens whose changes become its value again: a cycle of signals, for what needs no hardware.
///
///     let counter = CycledLens(seed: 1) { frames in
///       MutatingLens(value: frames, get: { $0.observe { print($0) } }, set: { _, frames in frames.filter { $0 < 3 }.map { $0 + 1 } })
///     }                                                              // 1, 2, 3
///
/// What the lens sets is taken first in, first out: a frame has reached everything that depends on it before the next one is
/// looked at. A frame equal to the one before is nothing. The drivers are there before the seed is, which is why no frame can
/// be missed.
public final class CycledLens<Frame: Equatable, Part> {
  /// What the lens gets: the drivers.
  public let part: Part
  private let input = Input<Frame>()
  private let frames: Signal<Frame>
  private let output: Receiver

  /// - Parameter lens: makes the drivers and the frames that follow from their events, of the signal of all frames. The first of those is the seed.
  public init(seed: Frame, _ lens: (Signal<Frame>) -> MutatingLens<Signal<Frame>, Part, Signal<Frame>>) {
    frames = input.onChange()
    let cycled = lens(frames)
    part = cycled.get
    output = (union(cycled.set) --> input)
    input <-- seed
  }

  /// The current frame.
  public var frame: Frame { frames.value! }
}
