import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Gesture")
struct GestureTests {
  private static let hold = Duration.milliseconds(1000)
  private static let doubleClick = Duration.milliseconds(300)

  /// P presses, R releases; between two letters lie 10 ms. A small t is the time of a double click, a large T that of a
  /// hold, from the letter before to the letter after.
  private func play(_ letters: String, hold: Duration?, doubleClick: Duration?, emitsClicks: Bool = true) -> [String] {
    var gesture = Gesture(hold: hold, doubleClick: doubleClick, emitsClicks: emitsClicks)
    var told: [String] = []
    let emit: Gesture.Emit = { told.append("\($0)@\($1.nanoseconds / 1_000_000)") }
    for (letter, now) in Self.timed(letters) {
      // As the driver does: alarms come when they are due, not when the next edge does.
      while let deadline = gesture.deadline, deadline < now { gesture.settle(by: deadline, emit: emit) }
      switch letter {
      case "P": gesture.change(true, at: now, emit: emit)
      case "R": gesture.change(false, at: now, emit: emit)
      default: gesture.settle(by: now, emit: emit)
      }
    }
    return told
  }

  /// The letters with their moments. A wait ends at the moment of the letter after it.
  private static func timed(_ letters: String) -> [(Character, Moment)] {
    var now = Moment.zero
    var waits = false
    return letters.map { letter in
      switch letter {
      case "t":
        now = now + doubleClick
        waits = true
      case "T":
        now = now + hold
        waits = true
      default:
        if !waits { now = now + .milliseconds(10) }
        waits = false
      }
      return (letter, now)
    }
  }

  /// The same by looking at whole presses instead of going from state to state.
  private func oracle(_ letters: String, hold: Duration?, doubleClick: Duration?) -> [String] {
    var presses: [(down: Moment, up: Moment?)] = []
    var end = Moment.zero
    for (letter, moment) in Self.timed(letters) {
      end = moment
      let isDown = presses.last.map { $0.up == nil } ?? false
      if letter == "P", !isDown { presses.append((moment, nil)) }
      if letter == "R", isDown { presses[presses.count - 1].up = moment }
    }
    var told: [String] = []
    func tell(_ event: String, _ moment: Moment) { told.append("\(event)@\(moment.nanoseconds / 1_000_000)") }
    var clickFrom: Moment?
    for (index, press) in presses.enumerated() {
      tell("pressed", press.down)
      let isSecond = clickFrom != nil
      clickFrom = nil
      if isSecond, hold == nil { tell("doubleClicked", press.down) }
      let isHeld = hold.map { press.down + $0 <= press.up ?? end } ?? false
      if isHeld, isSecond { tell("clicked", press.down + hold!) }
      if isHeld { tell("held", press.down + hold!) }
      guard let up = press.up else { continue }
      tell("released", up)
      if isSecond, hold != nil, !isHeld { tell("doubleClicked", up) }
      if isHeld || isSecond { continue }
      guard let doubleClick else {
        tell("clicked", up)
        continue
      }
      let next = index + 1 < presses.count ? presses[index + 1].down : nil
      if let next, next < up + doubleClick {
        clickFrom = up
      } else if up + doubleClick <= end {
        tell("clicked", up + doubleClick)
      }
    }
    return told
  }

  @Test(
    "every series of up to six presses, releases and waits means what whole presses mean",
    arguments: [nil, GestureTests.hold], [nil, GestureTests.doubleClick])
  func exhaustive(hold: Duration?, doubleClick: Duration?) {
    var series = [""]
    var checked = 0
    for _ in 0..<6 {
      series = series.flatMap { start in ["P", "R", "t", "T"].map { start + $0 } }
      for letters in series {
        let told = play(letters, hold: hold, doubleClick: doubleClick)
        let expected = oracle(letters, hold: hold, doubleClick: doubleClick)
        let withoutClicks = play(letters, hold: hold, doubleClick: doubleClick, emitsClicks: false)
        #expect(withoutClicks == expected.filter { !$0.hasPrefix("clicked") }, "\(letters)")
        #expect(told == expected, "\(letters)")
        if told != expected { return }
        checked += 1
      }
    }
    #expect(checked == 4 + 16 + 64 + 256 + 1024 + 4096)
  }

  @Test("a click comes with the release where there are no double clicks")
  func click() {
    #expect(play("PR", hold: Self.hold, doubleClick: nil) == ["pressed@10", "released@20", "clicked@20"])
  }

  @Test("a click waits where there are double clicks")
  func patientClick() {
    #expect(
      play("PRt", hold: nil, doubleClick: Self.doubleClick) == ["pressed@10", "released@20", "clicked@320"])
  }

  @Test("a double click comes with the second press and is no click; where a press can be held, with its release")
  func double() {
    #expect(
      play("PRPRT", hold: nil, doubleClick: Self.doubleClick) == [
        "pressed@10", "released@20", "pressed@30", "doubleClicked@30", "released@40",
      ])
    #expect(
      play("PRPRT", hold: Self.hold, doubleClick: Self.doubleClick) == [
        "pressed@10", "released@20", "pressed@30", "released@40", "doubleClicked@40",
      ])
  }

  @Test("a second press that is held makes the first one a click, and is held itself")
  func tapThenHold() {
    #expect(
      play("PRPTR", hold: Self.hold, doubleClick: Self.doubleClick) == [
        "pressed@10", "released@20", "pressed@30", "clicked@1030", "held@1030", "released@1030",
      ])
    #expect(
      play("PRPTR", hold: Self.hold, doubleClick: Self.doubleClick, emitsClicks: false) == [
        "pressed@10", "released@20", "pressed@30", "held@1030", "released@1030",
      ])
  }

  @Test("after missing edges a second press is neither a double click nor a hold")
  func forgottenSecond() {
    var told: [String] = []
    let emit: Gesture.Emit = { event, _ in told.append("\(event)") }
    var gesture = Gesture(hold: Self.hold, doubleClick: Self.doubleClick)
    for (isDown, time) in [(true, 0), (false, 10), (true, 20)] {
      gesture.change(isDown, at: .zero + .milliseconds(time), emit: emit)
    }
    gesture.forget()
    #expect(gesture.isPressed && gesture.deadline == nil)
    gesture.change(false, at: .zero + .seconds(5), emit: emit)
    #expect(told == ["pressed", "released", "pressed", "released"])
  }

  @Test("a press for the whole time is held, and no click")
  func held() {
    #expect(
      play("PTR", hold: Self.hold, doubleClick: Self.doubleClick) == ["pressed@10", "held@1010", "released@1010"])
  }

  @Test("after missing edges the press under way becomes neither click nor hold")
  func forgotten() {
    var told: [String] = []
    let emit: Gesture.Emit = { told.append("\($0)@\($1.nanoseconds / 1_000_000)") }
    var gesture = Gesture(hold: Self.hold, doubleClick: Self.doubleClick)
    gesture.change(true, at: .zero, emit: emit)
    gesture.forget()
    #expect(gesture.isPressed)
    #expect(gesture.deadline == nil)
    gesture.change(false, at: .zero + .milliseconds(5), emit: emit)
    #expect(gesture.deadline == nil)
    #expect(told == ["pressed@0", "released@5"])
  }

  @Test("a correction tells what changed, once")
  func corrected() {
    var told: [String] = []
    let emit: Gesture.Emit = { told.append("\($0)@\($1.nanoseconds / 1_000_000)") }
    var gesture = Gesture(hold: nil, doubleClick: nil)
    gesture.correct(isPressed: false, at: .zero, emit: emit)
    gesture.correct(isPressed: true, at: .zero + .milliseconds(1), emit: emit)
    gesture.correct(isPressed: true, at: .zero + .milliseconds(2), emit: emit)
    gesture.correct(isPressed: false, at: .zero + .milliseconds(3), emit: emit)
    #expect(told == ["pressed@1", "released@3"])
  }

  @Test("a click that has ended stays one when edges go missing while a second press is awaited")
  func forgottenAfterAClick() {
    var told: [String] = []
    let emit: Gesture.Emit = { told.append("\($0)@\($1.nanoseconds / 1_000_000)") }
    var gesture = Gesture(hold: Self.hold, doubleClick: Self.doubleClick)
    gesture.change(true, at: .zero, emit: emit)
    gesture.change(false, at: .zero + .milliseconds(5), emit: emit)
    gesture.forget()
    gesture.settle(by: .zero + .milliseconds(305), emit: emit)
    #expect(told == ["pressed@0", "released@5", "clicked@305"])
  }

  @Test("a click that has ended stays one when the line is found pressed after edges went missing")
  func correctedAfterAClick() {
    var told: [String] = []
    let emit: Gesture.Emit = { told.append("\($0)@\($1.nanoseconds / 1_000_000)") }
    var gesture = Gesture(hold: Self.hold, doubleClick: Self.doubleClick)
    gesture.change(true, at: .zero, emit: emit)
    gesture.change(false, at: .zero + .milliseconds(5), emit: emit)
    gesture.forget()
    gesture.correct(isPressed: true, at: .zero + .milliseconds(100), emit: emit)
    #expect(told == ["pressed@0", "released@5", "clicked@100", "pressed@100"])
  }
}
