/// Where a panel can be, apart from how far its clocks are.
struct Situation {
  /// Its counters are as they come; two situations that differ in nothing else are the same.
  var frame: PanelFrame
  /// For each input the phase of the button; `up` for other inputs.
  var phases: [ButtonModel.Phase]
  /// For each alarm, in the order of ``ProofModel/alarms(in:)``, the clock that it is counted on; 0 for one that has come.
  var clocks: [Int] = []
  /// What is violated here, where nothing happens any more, in the order of the file; none where all is well.
  var violations: [Violation] = []
  /// What can still come at this very moment.
  var instant = Instant.open

  /// The places of the alarms that have come.
  var spent: [Int] { clocks.indices.filter { clocks[$0] == 0 } }

  var clockCount: Int { clocks.max() ?? 0 }
}

/// What can still come at a moment, before time passes.
enum Instant: Equatable {
  /// Everything: it isn't known whether time has passed.
  case open
  /// Deadlines that are due, and inputs behind this one in the file's order.
  case after(input: Int)
  /// Deadlines that are due.
  case afterInputs

  /// The number that it has in a packed situation.
  var number: Int {
    switch self {
    case .open: 0
    case .afterInputs: 1
    case .after(let input): input + 2
    }
  }

  init(number: Int) {
    switch number {
    case 0: self = .open
    case 1: self = .afterInputs
    default: self = .after(input: number - 2)
    }
  }
}

/// What must not come about.
enum Violation: Equatable {
  /// A property of the file, by its place in ``PanelDefinition/nevers``.
  case never(Int)
  /// Two relays of an interlock are asked for together, by its place in ``PanelDefinition/interlocks``.
  case interlock(Int)
  /// Transitions by `when` that follow from each other for ever; the last states that they lead to.
  case endless([Int])
  /// Deadlines that come at once and follow from each other for ever; the states that they lead to.
  case circle([Int])
}

extension Violation {
  /// What is violated, whatever the way to it.
  enum Property: Hashable {
    case never(Int)
    case interlock(Int)
    /// That what follows from one event comes to an end.
    case end
  }

  var property: Property {
    switch self {
    case .never(let never): .never(never)
    case .interlock(let interlock): .interlock(interlock)
    case .endless, .circle: .end
    }
  }
}

/// Packs situations into bytes and back, without what isn't followed: what is left out is as at the start.
struct SituationCodec {
  private let model: ProofModel
  private let base: PanelFrame
  /// The places of the frame's numbers that are kept.
  private let places: [Int]
  /// Those of them that mean nothing while a state isn't current, with that state.
  private let stale: [(place: Int, state: Int)]
  /// The sounds whose ends are followed, with the places that mean nothing while they don't play.
  private let sounds: [(sound: Int, place: Int)]
  private let buttons: [Int]

  init(_ model: ProofModel) {
    self.model = model
    let kept = KeptNumbers(model)
    places = kept.places
    stale = kept.stale
    sounds = kept.sounds
    base = kept.base
    buttons = model.panel.inputs.indices.filter { if case .button = model.inputs[$0] { true } else { false } }
  }

  /// Appends the bytes of a situation.
  func encode(_ situation: Situation, into bytes: inout [UInt8]) {
    var situation = situation
    for (place, state) in stale where !model.rules.tree.isCurrent(state, in: situation.frame) {
      situation.frame[number: place] = 0
    }
    if !sounds.isEmpty {
      let playing = model.show.playing(in: situation.frame)
      for (sound, place) in sounds where !playing.contains(sound) { situation.frame[number: place] = 0 }
    }
    for place in places { Self.append(situation.frame[number: place], to: &bytes) }
    for button in buttons { bytes.append(situation.phases[button].rawValue) }
    Self.append(situation.instant.number, to: &bytes)
    for clock in situation.clocks { Self.append(clock, to: &bytes) }
  }

  func decode(_ bytes: [UInt8], _ range: Range<Int>) -> Situation {
    var next = range.lowerBound
    var situation = Situation(
      frame: base, phases: [ButtonModel.Phase](repeating: .up, count: model.panel.inputs.count))
    for place in places { situation.frame[number: place] = Self.number(bytes, &next) }
    for button in buttons {
      situation.phases[button] = ButtonModel.Phase(rawValue: bytes[next]) ?? .up
      next += 1
    }
    situation.instant = Instant(number: Self.number(bytes, &next))
    for region in model.panel.regions.indices { situation.frame[entered: region] = Int(ProofModel.now.nanoseconds) }
    while next < range.upperBound { situation.clocks.append(Self.number(bytes, &next)) }
    return situation
  }

  /// Seven bits a byte, the lowest first, the sign in the lowest bit.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    var rest = UInt(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func number(_ bytes: [UInt8], _ next: inout Int) -> Int {
    var (bits, shift) = (UInt(0), UInt(0))
    while true {
      let byte = bytes[next]
      next += 1
      bits |= UInt(byte & 0x7F) << shift
      if byte < 0x80 { return Int(bits >> 1) ^ -Int(bits & 1) }
      shift += 7
    }
  }
}

extension PanelDefinition {
  /// The regions whose last state decides what a `resume` enters: those inside a state that is resumed.
  var resumedRegions: Set<Int> {
    var resumed: Set<Int> = []
    var open = states.flatMap(\.transitions).compactMap { $0.target?.resumes == true ? $0.target?.state : nil }
    while let state = open.popLast() {
      for region in states[state].regions where resumed.insert(region).inserted {
        open += regions[region].states
      }
    }
    return resumed
  }
}
