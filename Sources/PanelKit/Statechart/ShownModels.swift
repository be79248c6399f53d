/// What some outputs show, for one frame after the other: only what a new frame changes is made anew.
///
/// Used on one thread, and by nothing that it calls.
final class ShownModels<Model: Equatable> {
  private let show: PanelShow
  /// The outputs, which are known by their places here.
  private let outputs: [Int]
  private let model: (_ place: Int, Appearance, PanelShow.Values) -> Model
  /// The regions with a state that shows one of the outputs, and their states in the last frame.
  @exclusivity(unchecked) private var regions: [(region: Int, state: Int, places: [Int])] = []
  /// The outputs that may look otherwise though no state has changed.
  private let varying: [Int]
  /// For each output the entry that it is shown by; nil where none shows it.
  @exclusivity(unchecked) private var entries: [Int?]
  /// For each output what it shows.
  @exclusivity(unchecked) private(set) var models: [Model]
  @exclusivity(unchecked) private var wasStopped: Bool

  /// - Parameters:
  ///   - readsValues: whether a model depends on the values that an appearance names.
  ///   - model: makes the model of an output.
  init(
    of outputs: [Int], in show: PanelShow, readsValues: Bool, seed: PanelFrame,
    as model: @escaping (_ place: Int, Appearance, PanelShow.Values) -> Model
  ) {
    self.show = show
    self.outputs = outputs
    self.model = model
    let uses = show.uses(of: outputs)
    varying = outputs.indices.filter { place in
      uses[place].contains { use in
        use.show.selection != nil || readsValues && use.show.appearance.dependsOnValues
      }
    }
    var placesOfRegions: [Int: [Int]] = [:]
    for place in outputs.indices {
      for region in Set(uses[place].compactMap(\.region)) { placesOfRegions[region, default: []].append(place) }
    }
    regions = placesOfRegions.sorted { $0.key < $1.key }.map { ($0.key, seed[state: $0.key], $0.value) }
    let values = show.values(in: seed)
    models = outputs.indices.map { model($0, show.appearance(of: outputs[$0], in: seed), values) }
    entries = outputs.map { show.entry(of: $0, in: seed) }
    wasStopped = seed.isStopped
  }

  /// The models in a frame.
  func models(in frame: PanelFrame) -> [Model] {
    update(to: frame)
    return models
  }

  /// Makes the models of a new frame. Calls `changed` with the place of each that is another one.
  @inline(__always)
  func update(to frame: PanelFrame, changed: (_ place: Int) -> Void = { _ in }) {
    guard !frame.isStopped, !wasStopped else { return updateAll(to: frame, changed) }
    for index in regions.indices {
      let state = frame[state: regions[index].region]
      guard state != regions[index].state else { continue }
      regions[index].state = state
      for place in regions[index].places { update(place, to: frame, changed) }
    }
    for place in varying { make(place, of: frame, changed) }
  }

  private func update(_ place: Int, to frame: PanelFrame, _ changed: (Int) -> Void) {
    let entry = show.entry(of: outputs[place], in: frame)
    guard entry != entries[place] else { return }
    entries[place] = entry
    make(place, of: frame, changed)
  }

  private func make(_ place: Int, of frame: PanelFrame, _ changed: (Int) -> Void) {
    let made = model(place, show.appearance(of: outputs[place], in: frame), show.values(in: frame))
    guard made != models[place] else { return }
    models[place] = made
    changed(place)
  }

  /// For a panel that stops, and is safe then.
  private func updateAll(to frame: PanelFrame, _ changed: (Int) -> Void) {
    wasStopped = frame.isStopped
    for index in regions.indices { regions[index].state = frame[state: regions[index].region] }
    for place in outputs.indices {
      entries[place] = show.entry(of: outputs[place], in: frame)
      make(place, of: frame, changed)
    }
  }
}
