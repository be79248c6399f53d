import CycleCore
import HardwareDrivers
import HardwarePlatform

/// A press changes a number by ten in steps of one, so that the bar is seen to move. What a press does while the bar
/// still moves depends on the mode, which a third button changes.
@main
struct Animated: CycledApplication {
  enum Mode: Equatable {
    /// The steps to the new number begin at the number that the bar shows now.
    case intercepting
    /// The steps to the new number follow those that are still to be shown.
    case appending
    /// As appending; but while the bar moves the buttons do nothing, and their lamp is dark.
    case waiting

    var next: Mode {
      switch self {
      case .intercepting: .appending
      case .appending: .waiting
      case .waiting: .intercepting
      }
    }
  }

  struct Picture: Equatable {
    var total = 0
    var isEnabled = true
  }

  struct Frame: Equatable {
    var reel = AnimationQueue(Picture())
    var mode = Mode.intercepting

    /// What a press on one of the buttons does.
    mutating func change(by step: Int) {
      let target = reel.last.total + step
      switch mode {
      case .intercepting: reel.intercept { path(from: $0.total, to: target).map { Picture(total: $0) } }
      case .appending: reel.append { path(from: $0.total, to: target).map { Picture(total: $0) } }
      case .waiting:
        guard reel.head.isEnabled else { return }
        reel.append { path(from: $0.total, to: target).map { Picture(total: $0, isEnabled: $0 == target) } }
      }
    }
  }

  static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Frame> {
    let chip = platform.chip
    let lines = (0..<24).map { LineName("GPIO\($0)") }
    return Cycle(seed: Frame()) {
      Lens(Button(chip, line: "GPIO24"), on: { frame, event in if event == .pressed { frame.change(by: 10) } })
      Lens(Button(chip, line: "GPIO25"), on: { frame, event in if event == .pressed { frame.change(by: -10) } })
      Lens(
        Button(chip, line: "GPIO26"),
        on: { frame, event in if event == .pressed { frame.mode = frame.mode.next } })
      Lens(
        Timer<Int>(), show: { $0.reel.deadlines(every: .milliseconds(16), as: 0) },
        on: { frame, event in if case .due = event { frame.reel.tick() } })
      Lens(LEDBar(chip, lines: lines), show: { .init(level: $0.reel.head.total) })
      Lens(LED(chip, line: "GPIO27"), show: { $0.reel.head.isEnabled ? .on : .off })
    }
  }
}
