import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Gesture")
struct GestureTests {
  private static let hold = Duration.milliseconds(1000)
  private static let doubleClick = Duration.milliseconds(300)

  private static let repetition = Duration.milliseconds(400)

  /// The letters mean: P presses, R releases; between two letters lie 10 ms. A small t is the time of a double click, a
  /// large T that of a hold, from the letter before to the letter after.
  private func play(
    _ letters: String, hold: Duration?, doubleClick: Duration?, repetition: Duration? = nil, mostClicks: Int = 2,
    emitsClicks: Bool = true
  ) -> [String] {
    var gesture = Gesture(
      hold: hold, repetition: repetition, doubleClick: doubleClick, mostClicks: mostClicks, emitsClicks: emitsClicks)
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
  private func oracle(
    _ letters: String, hold: Duration?, doubleClick: Duration?, repetition: Duration?, mostClicks: Int
  ) -> [String] {
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
    func tell(clicks: Int, _ moment: Moment) {
      if clicks > 0 {
        tell(["clicked", "doubleClicked"].dropFirst(clicks - 1).first ?? "multiClicked(\(clicks))", moment)
      }
    }
    let most = doubleClick == nil ? 1 : mostClicks
    var before = 0
    for (index, press) in presses.enumerated() {
      tell("pressed", press.down)
      let clicks = before + 1
      let last = press.up ?? end
      if let hold, press.down + hold <= last {
        tell(clicks: before, press.down + hold)
        tell("held", press.down + hold)
        var next = press.down + hold
        while let repetition, next + repetition <= last {
          next = next + repetition
          tell("repeated", next)
        }
        before = 0
        if let up = press.up { tell("released", up) }
        continue
      }
      let isAtPress = hold == nil && clicks > 1 && clicks == most
      if isAtPress { tell(clicks: clicks, press.down) }
      before = 0
      guard let up = press.up else { continue }
      tell("released", up)
      if isAtPress { continue }
      guard let doubleClick, clicks < most else {
        tell(clicks: clicks, up)
        continue
      }
      let next = index + 1 < presses.count ? presses[index + 1].down : nil
      if let next, next < up + doubleClick {
        before = clicks
      } else if up + doubleClick <= end {
        tell(clicks: clicks, up + doubleClick)
      }
    }
    return told
  }

  @Test(
    "every series of up to seven presses, releases and waits means what whole presses mean",
    arguments: [nil, GestureTests.hold], [nil, GestureTests.doubleClick])
  func exhaustive(hold: Duration?, doubleClick: Duration?) {
    for (repetition, mostClicks) in [(nil, 2), (Self.repetition, 2), (nil, 3), (Self.repetition, 4)] {
      var series = [""]
      var checked = 0
      for _ in 0..<7 {
        series = series.flatMap { start in ["P", "R", "t", "T"].map { start + $0 } }
        for letters in series {
          let told = play(
            letters, hold: hold, doubleClick: doubleClick, repetition: repetition, mostClicks: mostClicks)
          let expected = oracle(
            letters, hold: hold, doubleClick: doubleClick, repetition: repetition, mostClicks: mostClicks)
          let withoutClicks = play(
            letters, hold: hold, doubleClick: doubleClick, repetition: repetition, mostClicks: mostClicks,
            emitsClicks: false)
          #expect(withoutClicks == expected.filter { !$0.hasPrefix("clicked") }, "\(letters) \(mostClicks)")
          #expect(told == expected, "\(letters) \(mostClicks)")
          if told != expected { return }
          checked += 1
        }
      }
      #expect(checked == 4 + 16 + 64 + 256 + 1024 + 4096 + 16384)
    }
  }

  @Test("a hold repeats until the release, and three clicks are one event")
  func repetitionsAndClicks() {
    #expect(
      play("PTR", hold: Self.hold, doubleClick: nil, repetition: Self.repetition)
        == ["pressed@10", "held@1010", "released@1010"])
    #expect(
      play("PTTTR", hold: Self.hold, doubleClick: nil, repetition: Self.repetition) == [
        "pressed@10", "held@1010", "repeated@1410", "repeated@1810", "repeated@2210", "repeated@2610",
        "repeated@3010", "released@3010",
      ])
    #expect(
      play("PRPRPR", hold: nil, doubleClick: Self.doubleClick, mostClicks: 3) == [
        "pressed@10", "released@20", "pressed@30", "released@40", "pressed@50", "multiClicked(3)@50", "released@60",
      ])
    #expect(
      play("PRPRt", hold: nil, doubleClick: Self.doubleClick, mostClicks: 3)
        == ["pressed@10", "released@20", "pressed@30", "released@40", "doubleClicked@340"])
    #expect(
      play("PRPRPTR", hold: Self.hold, doubleClick: Self.doubleClick, repetition: Self.repetition, mostClicks: 3) == [
        "pressed@10", "released@20", "pressed@30", "released@40", "pressed@50", "doubleClicked@1050", "held@1050",
        "released@1050",
      ])
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
