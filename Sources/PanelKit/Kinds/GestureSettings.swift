import HardwareDrivers
import PanelLanguage

/// The classification of a button's presses, as far as the file sets it or reacts to its events.
package struct GestureSettings: Equatable, Sendable {
  /// The time that the button must be down to emit `held`, 10 ms...60 s. Nil if the file neither sets this nor reacts
  /// to the event.
  package var hold: Duration?
  /// The time from one `repeated` to the next, 10 ms...60 s. Nil if the file neither sets this nor reacts to the event.
  package var repetition: Duration?
  /// The time within which another press must follow to continue a series of clicks, 50 ms...5 s. Nil if the file
  /// neither sets this nor reacts to such an event.
  package var doubleClick: Duration?
  /// The greatest number of clicks that the file reacts to.
  package var mostClicks = 2
  /// Whether the file reacts to `clicked`.
  package var emitsClicks = false

  package init(hold: Duration? = nil) { self.hold = hold }

  /// Sets the values that a button, a key or a chord needs to emit an event, unless the file sets them.
  // Not set for other events: waiting for a double click delays each click, and an event without a reaction would run
  // the cycle for nothing.
  package mutating func enable(event: Int) {
    switch event {
    case ButtonEvent.clicked: emitsClicks = true
    case ButtonEvent.held: hold = hold ?? .seconds(1)
    case ButtonEvent.repeated:
      hold = hold ?? .seconds(1)
      repetition = repetition ?? .milliseconds(100)
    default:
      guard let clicks = ButtonEvent.clicks(of: event) else { return }
      doubleClick = doubleClick ?? .milliseconds(300)
      mostClicks = max(mostClicks, clicks)
    }
  }

  package var gesture: Gesture {
    Gesture(
      hold: hold, repetition: repetition, doubleClick: doubleClick, mostClicks: mostClicks, emitsClicks: emitsClicks)
  }
}

extension DeviceFields {
  private static let holdKey = Key(
    name: "hold", takes: "a duration: 1s", shape: .span(.milliseconds(10) ... .seconds(60)),
    usual: "`1s` if the file uses `held` or `repeated`",
    meaning: "time until a press is `held`")
  private static let repetitionKey = Key(
    name: "repeat", takes: "a duration: 100ms", shape: .span(.milliseconds(10) ... .seconds(60)),
    usual: "`100ms` if the file uses `repeated`",
    meaning: "time from `held` to the first `repeated`, and from one `repeated` to the next")
  private static let doubleClickKey = Key(
    name: "double-click", takes: "a duration: 300ms", shape: .span(.milliseconds(50) ... .seconds(5)),
    usual: "`300ms` if the file uses `double-clicked`",
    meaning: "longest time from a release to the next press of a double click, or of a series of up to 5 clicks")

  /// The settings of a chord's presses.
  static var chordKeys: [Key] {
    var (hold, doubleClick) = (holdKey, doubleClickKey)
    hold.usual = "`1s` if the file uses `held`"
    doubleClick.meaning = "longest time from a release to the second press"
    return [hold, doubleClick]
  }
  /// The settings of the presses of a button that something else debounces.
  static let gestureKeys = [holdKey, repetitionKey, doubleClickKey]
  /// The settings of the presses of a button with the key `debounce`.
  static var debouncedGestureKeys: [Key] {
    var hold = holdKey
    hold.meaning += ". This time must be longer than `debounce`"
    return [hold, repetitionKey, doubleClickKey]
  }

  /// The settings of ``gestureKeys``.
  ///
  /// - Parameter debounce: the debounce time of the button; nil for a button without the key.
  func gestures(after debounce: Duration?) -> GestureSettings {
    var settings = GestureSettings()
    (settings.hold, settings.doubleClick) = (duration("hold"), duration("double-click"))
    settings.repetition = duration("repeat")
    if let debounce, let hold = settings.hold, hold <= debounce, let field = self["hold"] {
      problems.add(
        field.node.position,
        "\"hold\" is \(Quantity.text(hold)); it must be longer than the debounce time, \(Quantity.text(debounce))")
    }
    return settings
  }
}
