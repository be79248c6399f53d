import CycleCore
import HardwareDrivers
import HardwarePlatform
import Signals
import Stores

/// The radio's settings, which other programs' code may share. Code that has the store may change them, on any thread.
struct Settings: Equatable, Sendable {
  var volume = 3
  var station = 0
}

enum Notice: Sendable {
  case stationIsGone
}

/// A radio with a knob and a button: the cycle runs the panel, a store shares its settings with other code, and a
/// signal limits how often a knob that is turned fast commits to the store.
struct Radio {
  struct Frame: Equatable, Sendable {
    var volume: Int
    var station: Int
    /// The volume to commit to the store: that of the knob, throttled, or the last one that the store had.
    var agreedVolume: Int
    var isWarning = false
  }

  let store: Store<Settings, Notice>

  func makeCycle(on platform: Platform) -> Cycle<Frame, some LensGroup<Frame> & ~Copyable> {
    let chip = platform.chip
    let settings = store.state
    return Cycle(
      seed: Frame(volume: settings.volume, station: settings.station, agreedVolume: settings.volume)
    ) {
      Lens(
        RotaryEncoder(chip, lines: ("GPIO5", "GPIO6")),
        on: { frame, event in
          switch event {
          case .clockwise: frame.volume = min(10, frame.volume + 1)
          case .counterclockwise: frame.volume = max(0, frame.volume - 1)
          default: break
          }
        })
      Lens(
        Button(chip, line: "GPIO17"),
        on: { frame, event in
          if event == .pressed { frame.station = (frame.station + 1) % 4 }
        })
      // Signals: the volume, throttled to one value in 500 ms.
      Lens(
        SignalDriver { volume, clock in volume.throttle(.milliseconds(500), on: clock).onChange() },
        show: { $0.volume },
        on: { frame, event in if case .value(let volume) = event { frame.agreedVolume = volume } })
      // Stores: the volume and the station, which other code observes and changes.
      Lens(
        SharedStateDriver(store, show: \.volume), show: { $0.agreedVolume },
        on: { frame, event in
          switch event {
          case .changed(let volume):
            frame.volume = volume
            frame.agreedVolume = volume
          case .emitted(.stationIsGone): frame.isWarning = true
          }
        })
      Lens(
        SharedStateDriver(store, show: \.station), show: { $0.station },
        on: { frame, event in
          guard case .changed(let station) = event else { return }
          frame.station = station
          frame.isWarning = false
        })
      Lens(LEDBar(chip, lines: (7..<17).map { LineName("GPIO\($0)") }), show: { .init(level: $0.volume) })
      Lens(LED(chip, line: "GPIO23"), show: { $0.isWarning ? .blink(.milliseconds(250)) : .off })
    }
  }
}

@main
struct Program: CycledApplication {
  static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Radio.Frame> {
    Radio(store: Store(Settings())).makeCycle(on: platform)
  }
}
