import CycleCore

/// Makes a frame filter from signals. For each frame, it computes only values that depend on a change.
///
///     Lens(
///       LEDBar(chip, lines: lines),
///       show: frameFilter { frames in frames.map(\.samples).onChange().map(loudness) })
///
/// - Parameter signal: makes the signal of the models from that of the frames; called once. It must have a value for
///   the first frame, and the value must depend on the current frame alone.
public func frameFilter<Frame, Model>(_ signal: (Signal<Frame>) -> Signal<Model>) -> (Frame) -> Model {
  let frames = Input<Frame>()
  let models = signal(frames).latest()
  return { frame in
    frames.push(frame)
    guard let model = models.value else {
      programmerError("the signal of \(Model.self) that a frame filter is made of has no value at the first frame")
    }
    return model
  }
}
