import HardwareDrivers
import PanelLanguage

/// The possible moves of an input in a proof.
enum InputMoves {
  /// Has no moves of its own: nothing depends on the input, or it is derived from other inputs.
  case none
  /// Emits each of these events at any time; they are places in ``InputKind/events``. Events that carry a number carry
  /// one of these numbers. One number represents all those for which every comparison has the same result.
  case events([Int], carriers: [Int] = [], numbers: [Int] = [])
  /// Moves into its other position; for each position the event that leads to it.
  case position([Int])
  case button(ButtonModel)
  /// Reads one of these numbers. One number represents all those for which every comparison has the same result.
  case sensor([Int])

  /// - Parameters:
  ///   - readings: the ranges of sensors that are limited, by their inputs.
  ///   - isExact: whether the presses and releases of a button are modeled with their durations. If not, and if each
  ///     followed event belongs to a press of its own, the events occur at any time: more than a real button can do.
  init(
    _ input: Int, of panel: PanelDefinition, in slice: ConeOfInfluence, readings: [Int: ClosedRange<Int>], isExact: Bool
  ) {
    let device = panel.inputs[input].device
    let control = type(of: device).control
    let isTouched = slice.followsTouches && type(of: device).isTouched
    // Every event of a member changes the group's last active member.
    let group = panel.inputGroups.firstIndex { $0.members.contains(input) }
    let isMemberAsked = group.map { slice.asked.members.contains($0) } ?? false
    let isAsked = slice.asked.positions.contains(input) || isMemberAsked
    let isEachFollowed = isTouched || isMemberAsked && device.gesture == nil
    let events = isEachFollowed ? Array(device.events.indices) : slice.events(of: input)
    guard control != .none, !events.isEmpty || isAsked || slice.asked.readings.contains(input) else {
      self = .none
      return
    }
    if device.isSensor, let scale = device.scale {
      self = .sensor(SensorCells(input, readings, scale.range, of: panel, in: slice).numbers)
      return
    }
    if control == .events {
      // A number that is asked for changes with each event that carries one, and so does whether it is known.
      let isNumberAsked = slice.asked.readings.contains(input)
      var moves = Set(events)
      if isNumberAsked || isAsked { moves.formUnion(device.carriers) }
      if isAsked { moves.formUnion(device.events.indices.filter { device.position(after: $0) != nil }) }
      let range = device.scale?.range ?? 0...0
      self = .events(
        moves.sorted(), carriers: device.carriers,
        numbers: isNumberAsked
          ? SensorCells(input, readings, range, of: panel, in: slice).numbers : [(readings[input] ?? range).lowerBound])
      return
    }
    guard let gesture = device.gesture else {
      let places = device.positions.indices.compactMap { position in
        device.events.indices.first { device.position(after: $0) == position }
      }
      self = places.isEmpty ? .events(events) : .position(places)
      return
    }
    let kinds = slice.events(of: input).filter { device.position(after: $0) == nil }
    if !isExact, !isAsked, events == [ButtonEvent.pressed] || events == kinds {
      self = .events(events)
    } else {
      self = .button(ButtonModel(kinds.isEmpty ? Gesture(hold: nil, doubleClick: nil, emitsClicks: false) : gesture))
    }
  }
}
