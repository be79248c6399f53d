import CycleCore

/// A frame filter made of signals: for each frame it computes only what depends on values that have changed.
///
///     Lens(
///       LEDBar(chip, lines: lines),
///       show: frameFilter { frames in frames.map(\.samples).onChange().map(loudness) })
///
/// - Parameter signal: makes the signal of the models from that of the frames; called once. It must have a value as soon as there
///   is a frame, and the value must depend on that frame alone.
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
