/// How many numbers of each kind the frames of a panel have.
struct FrameSizes: Equatable, Sendable {
  var regions = 0
  /// Elements of all lists.
  var elements = 0
  var sounds = 0
  /// Sounds of groups that states play by a number.
  var choices = 0
  var inputs = 0
  var inputGroups = 0
  /// Numbers of inputs that follow from others.
  var derived = 0
  /// Deadlines that come again.
  var repetitions = 0
  /// Deadlines whose time is drawn or is a value's.
  var waits = 0
  /// Sources of trouble.
  var sources = 0

  init(regions: Int = 0, inputs: Int = 0, sounds: Int = 0) {
    self.regions = regions
    self.inputs = inputs
    self.sounds = sounds
  }

  init(of panel: PanelDefinition) {
    regions = panel.regions.count
    elements = panel.values.reduce(0) { max($0, $1.list.map { $0.first + $0.capacity } ?? 0) }
    sounds = panel.sounds.count
    choices = panel.choiceCount
    inputs = panel.inputs.count
    inputGroups = panel.inputGroups.count
    derived = DerivedInputs.frameSize(of: panel)
    repetitions = panel.repetitionCount
    waits = panel.waitCount
    sources = PanelDevices(of: panel).sourceCount
  }
}

/// Where each kind of number begins in the frames of a panel.
struct FrameLayout: Equatable, Sendable {
  /// The current state, how often one has been entered, the state that was left last, and when the current one was entered.
  static let perRegion = 4

  let value: Int32
  let element: Int32
  /// Three for each sound.
  let sound: Int32
  let choice: Int32
  /// One for all inputs together, and one for each.
  let loss: Int32
  let position: Int32
  let reading: Int32
  let member: Int32
  let derived: Int32
  let hardware: Int32
  let repetition: Int32
  let wait: Int32
  let source: Int32
  let touchCount: Int32
  let stream: Int32
  let now: Int32
  let deadlinesAtOnce: Int32
  let isStopped: Int32
  let count: Int

  init(_ sizes: FrameSizes, valueCount: Int) {
    var count = Self.perRegion * sizes.regions
    func place(_ size: Int) -> Int32 {
      defer { count += size }
      return Int32(count)
    }
    value = place(valueCount)
    element = place(sizes.elements)
    sound = place(3 * sizes.sounds)
    choice = place(sizes.choices)
    loss = place(1 + sizes.inputs)
    position = place(sizes.inputs)
    reading = place(sizes.inputs)
    member = place(sizes.inputGroups)
    derived = place(sizes.derived)
    hardware = place(PluggableHardware.allCases.count)
    repetition = place(sizes.repetitions)
    wait = place(sizes.waits)
    source = place(sizes.sources)
    touchCount = place(1)
    stream = place(1)
    now = place(1)
    deadlinesAtOnce = place(1)
    isStopped = place(1)
    self.count = count
  }
}
