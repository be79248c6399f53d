import CycleCore

/// A lens whose changes are pushed back into its value: a cycle made of signals, for applications without hardware.
///
///     let counter = CycledLens(seed: 1) { frames in
///       MutatingLens(
///         value: frames, get: { $0.observe { print($0) } },
///         set: { _, frames in frames.filter { $0 < 3 }.map { $0 + 1 } })
///     }                                                              // 1, 2, 3
///
/// Frames that the lens sets are queued, first in, first out: each one reaches all dependent signals before the next. A
/// frame that equals the one before is ignored. The drivers are made before the seed is pushed, so they miss no frame.
public final class CycledLens<Frame: Equatable, Part> {
  /// The part of the frame that the drivers render.
  public let part: Part
  private let input = Input<Frame>()
  private let frames: Signal<Frame>
  private let output: SignalObserver

  /// - Parameter lens: makes the drivers, and the signals of the frames that follow from their events. Its argument is
  ///   the signal of all frames, the first of which is the seed.
  /// - Parameter seed: the first frame.
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
