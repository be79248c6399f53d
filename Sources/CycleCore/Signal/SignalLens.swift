extension Lens where D: ~Copyable {
  /// A lens whose frame filter is a network of signals: of a frame it computes again only what depends on what has changed.
  ///
  ///     Lens(
  ///       LEDBar(chip, lines: lines), signal: { frames in frames.map(\.samples).onChange().map(loudness) },
  ///       on: { ... })
  ///
  /// - Parameter signal: makes the signal of the models from that of the frames. It must have a value as soon as there is a frame, and that must depend
  ///   on the frame alone.
  public init(
    _ driver: consuming D, signal: (Signal<Frame>) -> Signal<D.Model>, on: @escaping EventFilter,
    trouble: TroubleFilter? = nil, safe: D.Model? = nil, laneCapacity: Int = Self.defaultLaneCapacity
  ) {
    let frames = Input<Frame>()
    let models = signal(frames).latest()
    let name = "\(D.self)"
    let show: FrameFilter = { frame in
      frames.push(frame)
      guard let model = models.value else { fault("the signal of \(name) has no value at the first frame") }
      return model
    }
    state = LensState(driver, safe: safe, lane: Lane(minimumCapacity: laneCapacity, isRequired: false))
    seedModel = show
    isConstant = false
    renderChange = Self.rendering(show)
    reduceNext = Self.reducing(on)
    troubleFilter = trouble
    self.name = name
  }
}
