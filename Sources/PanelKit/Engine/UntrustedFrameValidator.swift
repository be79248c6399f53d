import CycleCore
import HardwareDrivers
import PanelLanguage

/// The bounds of the numbers in a panel's frames. Every frame from outside is checked: of a recording, an edit of one,
/// or the monitor.
///
/// Each number is checked alone, so an accepted frame may be one that the panel never reaches. But no event on it can
/// index outside of an array or overflow.
package final class UntrustedFrameValidator: Sendable {
  private enum Bound {
    case any
    case within(ClosedRange<Int>)
    /// A reading: a number, or ``Int/unknown`` before the first one.
    case reading(ClosedRange<Int>)
    case among(Set<Int>)

    func contains(_ number: Int) -> Bool {
      switch self {
      case .any: true
      case .within(let range): range.contains(number)
      case .reading(let range): range.contains(number) || number == .unknown
      case .among(let numbers): numbers.contains(number)
      }
    }

    var text: String {
      switch self {
      case .any: "any number"
      case .within(let range): "\(range.lowerBound) to \(range.upperBound)"
      case .reading(let range): "\(range.lowerBound) to \(range.upperBound), or unknown"
      case .among(let numbers): numbers.sorted().map(String.init).joined(separator: ", ")
      }
    }
  }

  private let panel: PanelDefinition

  package init(of panel: PanelDefinition) { self.panel = panel }

  /// The reason why a frame is rejected; nil if it is accepted.
  package func refusal(of frame: PanelFrame) -> String? { refusal(of: frame.recordingNumbers) }

  /// The reason why a frame with these numbers is rejected; nil if it is accepted.
  package func refusal(of numbers: [Int]) -> String? {
    // Frames from outside are rare, so the bounds are computed for each.
    let bounds = bounds
    guard numbers.count == bounds.count else { return "it has \(numbers.count) numbers, and not \(bounds.count)" }
    guard let place = numbers.indices.first(where: { !bounds[$0].contains(numbers[$0]) }) else { return nil }
    return "\(FrameColumns(of: panel).names[place]) is \(numbers[place]), and can be \(bounds[place].text)"
  }

  private static let count = Bound.within(UntrustedNumber.counts)
  private static let flag = Bound.within(0...1)
  /// A moment in nanoseconds; -1 for none.
  private static let moment = Bound.within(-1...(1 << 62))
  /// The number of lenses that have lost their hardware.
  private static let losses = Bound.within(0...(1 << 32))

  private var bounds: [Bound] {
    let layout = FrameLayout(FrameSizes(of: panel), valueCount: panel.values.count)
    var bounds = [Bound](repeating: .any, count: layout.count)
    func set(_ place: Int, _ bound: Bound) { bounds[place] = bound }
    func set(_ range: Range<Int32>, _ bound: Bound) { for place in range { bounds[Int(place)] = bound } }
    for (region, of) in panel.regions.enumerated() {
      let states = Bound.among(Set(of.states + [-1]))
      set(FrameLayout.place(.state, of: region), states)
      set(FrameLayout.place(.remembered, of: region), states)
      set(FrameLayout.place(.entry, of: region), Self.count)
      set(FrameLayout.place(.entered, of: region), Self.moment)
    }
    for (value, of) in panel.values.enumerated() {
      set(Int(layout.value) + value, .within(of.list.map { 0...$0.capacity } ?? of.min...of.max))
      guard let list = of.list else { continue }
      // A free place contains 0.
      for place in 0..<list.capacity {
        set(Int(layout.element) + list.first + place, .within(min(0, of.min)...max(0, of.max)))
      }
    }
    for sound in panel.sounds.indices {
      set(layout.place(.start, of: sound), Self.count)
      set(layout.place(.ended, of: sound), Self.flag)
      set(layout.place(.isOnce, of: sound), Self.flag)
    }
    set(layout.choice..<layout.loss, .within(-1...max(0, panel.sounds.count - 1)))
    set(layout.loss..<layout.position, Self.count)
    for (input, of) in panel.inputs.enumerated() {
      set(Int(layout.position) + input, .within(PanelFrame.unknownPosition...max(0, of.device.positions.count - 1)))
      set(Int(layout.reading) + input, .reading(of.device.scale?.range ?? 0...0))
    }
    for (group, of) in panel.inputGroups.enumerated() {
      set(Int(layout.member) + group, .among(Set(of.numbers + [of.nobody])))
    }
    for (number, range) in DerivedInputs(of: panel).ranges { set(Int(layout.derived) + number, .within(range)) }
    set(layout.hardware..<layout.repetition, Self.losses)
    set(layout.repetition..<layout.wait, Self.count)
    for deadline in panel.states.flatMap(\.after) {
      // Before its state is entered, a deadline waits for 0 ms.
      switch deadline.delay {
      case .fixed: break
      case .drawn(let range, let wait):
        set(Int(layout.wait) + wait, .within(min(0, range.lowerBound)...max(0, range.upperBound)))
      case .value(let value, let wait):
        set(Int(layout.wait) + wait, .within(min(0, panel.values[value].min)...max(0, panel.values[value].max)))
      }
    }
    set(layout.source..<layout.remote, Self.losses)
    set(layout.remote..<layout.resumed, .within(0...7))
    for (slot, of) in panel.resumptions.enumerated() { set(Int(layout.resumed) + slot, .within(0...of.states.count)) }
    for (place, item) in panel.keptItems.enumerated() {
      set(
        Int(layout.kept) + place,
        .within(min(item.range.lowerBound, item.initial)...max(item.range.upperBound, item.initial)))
    }
    if let place = layout.keptNumbers.last { set(place, Self.flag) }
    if layout.perMessage > 0 {
      set(Int(layout.sent), Self.count)
      for slot in 0..<SentOSCMessages.capacity {
        set(Int(layout.sent) + 1 + slot * layout.perMessage, .within(0...max(0, panel.messages.count - 1)))
      }
    }
    // Seconds since 1970, microseconds and days: none of them can overflow a sum.
    set(layout.clock..<layout.power, .within(-(1 << 53)...(1 << 53)))
    if let last = layout.powerRequests.last {
      set(Int(layout.power), Self.count)
      set(last, .within(0...PowerChange.allCases.count))
    }
    set(layout.contact..<layout.clock, .within(PanelFrame.unknownPosition...PanelFrame.closedContact))
    set(Int(layout.touchCount), Self.count)
    // A shown frame never contains a moment.
    set(Int(layout.now), .within(0...0))
    set(Int(layout.deadlinesAtOnce), .within(0...(PanelRules.mostSteps * max(1, panel.regions.count) + 1)))
    set(Int(layout.isStopped), Self.flag)
    return bounds
  }
}

extension PanelRules {
  /// The reason why an event of a timer is rejected; nil if it is accepted.
  package func refusal(of event: Timer<PanelDeadline>.Event) -> String? {
    guard case .due(let deadline) = event else { return nil }
    switch deadline.owner {
    case .begin: return nil
    case .state(let state, let index):
      guard panel.states.indices.contains(state), panel.states[state].after.indices.contains(index) else {
        return "there is no deadline \(index) of a state \(state)"
      }
    case .input(let input, let number):
      guard panel.inputs.indices.contains(input), (0..<derived.deadlineCount(of: input)).contains(number) else {
        return "there is no deadline \(number) of an input \(input)"
      }
    }
    return nil
  }
}
