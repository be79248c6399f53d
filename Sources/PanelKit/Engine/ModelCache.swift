import PanelLanguage

/// The models of some outputs for consecutive frames. Only models that a new frame changes are made again.
///
/// Used on one thread only, and never from the closures that it calls. What runs for each frame is inlinable: each
/// layer above specializes it for its models.
@usableFromInline
package final class ModelCache<Model: Equatable> {
  @usableFromInline package let show: PanelRendering
  /// The outputs; their places here identify them.
  @usableFromInline package let outputs: [Int]
  @usableFromInline package let model: (_ place: Int, OutputAppearance, PanelValues) -> Model
  /// The place of each output of the panel in ``outputs``; -1 for other outputs.
  @usableFromInline package let places: [Int]
  /// The regions with a state that shows one of the outputs, and their states in the last frame.
  @exclusivity(unchecked) @usableFromInline package var regions: [(region: Int, state: Int)]
  /// The outputs whose appearance may change without a change of state.
  @usableFromInline package let varying: [Int]
  /// The entry that shows each output; nil if there is none.
  @exclusivity(unchecked) @usableFromInline package var entries: [Int?]
  /// The model of each output.
  @exclusivity(unchecked) @usableFromInline package var models: [Model]
  @exclusivity(unchecked) @usableFromInline package var wasStopped: Bool
  /// The only region that the models depend on; nil if they depend on anything else.
  @usableFromInline package let onlyRegion: Int?
  /// The models for each state of ``onlyRegion``; nil until the state has been current.
  @exclusivity(unchecked) @usableFromInline package var modelsOfStates: [[Model]?] = []
  /// The greatest number of models that are kept for states.
  private static var mostKeptModels: Int { 65_536 }

  /// - Parameters:
  ///   - readsValues: whether a model depends on the values that an appearance names.
  ///   - model: makes the model of an output.
  package init(
    of outputs: [Int], in show: PanelRendering, readsValues: Bool, seed: PanelFrame,
    as model: @escaping (_ place: Int, OutputAppearance, PanelValues) -> Model
  ) {
    self.show = show
    self.outputs = outputs
    self.model = model
    var places = [Int](repeating: -1, count: show.panel.outputs.count)
    for (place, output) in outputs.enumerated() { places[output] = place }
    self.places = places
    let uses = show.uses(of: outputs)
    varying = outputs.indices.filter { place in
      uses[place].contains { use in
        use.show.rule.fixed.map { readsValues && $0.dependsOnValues } ?? true
      }
    }
    regions = Set(uses.joined().compactMap(\.region)).sorted().map { ($0, seed[state: $0]) }
    let values = show.values(in: seed)
    models = outputs.indices.map { model($0, show.appearance(of: outputs[$0], in: seed), values) }
    entries = outputs.map { show.entry(of: $0, in: seed) }
    wasStopped = seed.isStopped
    let states = show.panel.states.count
    let isSimple = regions.count == 1 && varying.isEmpty && !show.isNested[regions[0].region]
    onlyRegion = isSimple && outputs.count * states <= Self.mostKeptModels ? regions[0].region : nil
    if onlyRegion != nil { modelsOfStates = [[Model]?](repeating: nil, count: states) }
  }

  /// The models in a frame.
  @inlinable
  package func models(in frame: PanelFrame) -> [Model] {
    guard let onlyRegion, !frame.isStopped, frame[state: onlyRegion] >= 0 else {
      update(to: frame)
      return models
    }
    let state = frame[state: onlyRegion]
    if let known = modelsOfStates[state] { return known }
    update(to: frame)
    modelsOfStates[state] = models
    return models
  }

  /// Makes the models of a new frame. Calls `changed` with the place of each model that differs.
  @inlinable
  @inline(__always)
  package func update(to frame: PanelFrame, changed: (_ place: Int) -> Void = { _ in }) {
    guard !frame.isStopped, !wasStopped else { return updateAll(to: frame, changed) }
    for index in regions.indices {
      let state = frame[state: regions[index].region]
      guard state != regions[index].state else { continue }
      // Only outputs that the old or the new state shows can change.
      updateAll(shownBy: regions[index].state, to: frame, changed)
      updateAll(shownBy: state, to: frame, changed)
      regions[index].state = state
    }
    for place in varying { make(place, of: frame, changed) }
  }

  @inlinable
  package func updateAll(shownBy state: Int, to frame: PanelFrame, _ changed: (Int) -> Void) {
    guard state >= 0 else { return }
    for entry in show.entriesOfStates[state] {
      let place = places[show.entries[entry].output]
      if place >= 0 { update(place, to: frame, changed) }
    }
  }

  @inlinable
  package func update(_ place: Int, to frame: PanelFrame, _ changed: (Int) -> Void) {
    let entry = show.entry(of: outputs[place], in: frame)
    guard entry != entries[place] else { return }
    entries[place] = entry
    make(place, of: frame, changed)
  }

  @inlinable
  package func make(_ place: Int, of frame: PanelFrame, _ changed: (Int) -> Void) {
    let appearance = show.appearance(of: outputs[place], by: entries[place], in: frame)
    let made = model(place, appearance, show.values(in: frame))
    guard made != models[place] else { return }
    models[place] = made
    changed(place)
  }

  /// Updates all models when a panel stops and shows its safe state.
  @inlinable
  package func updateAll(to frame: PanelFrame, _ changed: (Int) -> Void) {
    wasStopped = frame.isStopped
    for index in regions.indices { regions[index].state = frame[state: regions[index].region] }
    for place in outputs.indices {
      entries[place] = show.entry(of: outputs[place], in: frame)
      make(place, of: frame, changed)
    }
  }
}
