import PanelEngine
import PanelLanguage

/// A situation of a panel, without the values of its clocks.
struct Situation {
  /// The frame. Its counters are not compared: two situations that differ only in counters are the same.
  var frame: PanelFrame
  /// The phase of the button for each input; `up` for other inputs.
  var phases: [ButtonModel.Phase]
  /// The clock of each alarm, in the order of ``ProofModel/alarms(in:)``; 0 for an alarm that has occurred.
  var clocks: [Int] = []
  /// The violations in this situation, in the order of the file. If there are any, nothing happens after it.
  var violations: [Violation] = []
  /// The moves that can still occur at this moment.
  var instant = Instant.open

  /// The places of the alarms that have occurred.
  var spent: [Int] { clocks.indices.filter { clocks[$0] == 0 } }

  var clockCount: Int { clocks.max() ?? 0 }
}

/// The moves that can still occur at a moment, before time passes.
enum Instant: Equatable {
  /// All moves: it is not known whether time has passed.
  case open
  /// Deadlines that are due, and inputs after this one in the order of the file.
  case after(input: Int)
  /// Deadlines that are due.
  case afterInputs

  /// The number in a packed situation.
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

/// A violation of a property.
enum Violation: Equatable {
  /// A property of the file, by its place in ``PanelDefinition/nevers``.
  case never(Int)
  /// Two relays of an interlock are switched on together, by its place in ``PanelDefinition/interlocks``.
  case interlock(Int)
  /// Transitions by `when` follow from each other endlessly; the last states that they lead to.
  case endless([Int])
  /// Immediate deadlines follow from each other endlessly; the states that they lead to.
  case circle([Int])
}

extension Violation {
  /// The violated property, independent of the path.
  enum Property: Hashable {
    case never(Int)
    case interlock(Int)
    /// Every chain of reactions to one event ends.
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

/// Packs situations into bytes and unpacks them. Omitted numbers become as at the start.
struct SituationCodec {
  private let model: ProofModel
  private let base: PanelFrame
  /// The places of the kept numbers of the frame.
  private let places: [Int]
  /// The kept places that have no meaning while a state is not current, with that state.
  private let stale: [(place: Int, state: Int)]
  /// The sounds whose ends are followed, with the places that have no meaning while they do not play.
  private let sounds: [(sound: Int, place: Int)]
  private let buttons: [Int]

  init(_ model: ProofModel) {
    self.model = model
    let kept = StateVectorLayout(model)
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
      situation.phases[button] = ButtonModel.Phase(rawValue: bytes[next])
      next += 1
    }
    situation.instant = Instant(number: Self.number(bytes, &next))
    for region in model.panel.regions.indices { situation.frame[entered: region] = Int(ProofModel.now.nanoseconds) }
    while next < range.upperBound { situation.clocks.append(Self.number(bytes, &next)) }
    return situation
  }

  /// Appends seven bits per byte, the lowest first; the sign is in the lowest bit.
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
  /// The regions whose last state determines what a `resume` enters: those inside a state that is resumed.
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
