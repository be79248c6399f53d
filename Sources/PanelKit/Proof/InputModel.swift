import HardwareDrivers

/// What an input can do at any moment, as a proof has it.
enum InputModel {
  /// Nothing of its own: nothing depends on it, or it follows from other inputs.
  case none
  /// Each of these events, by its place in ``InputKind/events``, whenever it likes.
  case events([Int])
  /// Moves into its other position; for each position the event that leads to it.
  case position([Int])
  case button(ButtonModel)
  /// Reads one of these numbers. Of numbers that all comparisons agree on there is one.
  case sensor([Int])

  /// - Parameters:
  ///   - reading: between which numbers a sensor reads; nil for its whole range.
  ///   - isExact: whether a button is pressed and released, and what a press becomes depends on how long that took. Otherwise, where
  ///     each followed event is of a press of its own, they come whenever they like: that is more than can happen.
  init(_ input: Int, of panel: PanelDefinition, in slice: Slice, reading: ClosedRange<Int>?, isExact: Bool) {
    let device = panel.inputs[input].device
    let control = type(of: device).control
    let isTouched = slice.followsTouches && control.isTouched
    let events = isTouched ? Array(device.events.indices) : slice.events(of: input)
    // Every event of a member changes which member has told the last one.
    let group = panel.inputGroups.firstIndex { $0.members.contains(input) }
    let isAsked = slice.asked.positions.contains(input) || group.map { slice.asked.members.contains($0) } ?? false
    guard control != .none, !events.isEmpty || isAsked || slice.asked.readings.contains(input) else {
      self = .none
      return
    }
    if let scale = device.scale {
      self = .sensor(SensorCells(input, reading ?? scale.range, of: panel, in: slice).numbers)
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
    if !isExact, !isAsked, events == [ButtonKind.pressed] || events == kinds {
      self = .events(events)
    } else {
      self = .button(ButtonModel(kinds.isEmpty ? Gesture(hold: nil, doubleClick: nil, emitsClicks: false) : gesture))
    }
  }
}
