import CycleCore
import HardwareDrivers
import HardwareSimulation

/// 20 devices on simulated hardware: ten buttons, of which 17 are clicked each second, six lamps, a relay, a lamp of three
/// colours on PWM, a servo and a strip.
enum TwentyDevices {
  struct Frame: Equatable, Sendable {
    var clicks = 0
    /// A bit for each lamp.
    var lamps = 0
  }

  private static let clicksASecond = 17

  private static func cycle(_ bench: Bench, on chip: SimulatedChip) -> any Application<Frame> {
    let bus = SimulatedSPIBus(bench)
    bus.connect(SimulatedLEDStrip(.ws2812, count: 10), at: 0)
    func channel(_ line: LineName) -> SimulatedPWM { SimulatedPWM(bench, PWMPort(line: line)) }
    return Cycle(seed: Frame()) {
      LensList(count: 10) { place in
        Lens(
          Button(chip, line: LineName("GPIO\(place)")), name: "key\(place)",
          on: { frame, event in
            switch event {
            case .pressed: frame.lamps ^= 1 << (place % 6)
            case .clicked: frame.clicks += 1
            default: break
            }
          })
      }
      LensList(count: 6) { place in
        Lens(
          LED(chip, line: LineName("GPIO\(10 + place)")), name: "lamp\(place)",
          show: { $0.lamps >> place & 1 == 1 ? .on : .off })
      }
      Lens(Relay(chip, line: "GPIO16"), name: "fan", show: { $0.clicks / 100 % 2 == 1 ? .on : .off })
      Lens(
        PWMDriver(RGBPWMLED([channel("GPIO17"), channel("GPIO18"), channel("GPIO19")])), name: "sign",
        show: { .steady(Colour(hue: Double($0.clicks / 10 % 36) * 10, saturation: 1, value: 1)) })
      Lens(PWMDriver(Servo(channel("GPIO20"))), name: "arm", show: { .angle(Double($0.clicks / 50 % 2) * 90) })
      Lens(
        LEDStrip(bus, .ws2812, count: 10), name: "row",
        show: { PixelLight(.bar(share: Double($0.clicks / 10 % 11) / 10, of: Colour.full)) })
    }
  }

  @inline(never)
  static func run(seconds: Int, recordedIn sinks: [any RecordingSink] = []) throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let buttons = (0..<10).map { chip.contact(at: LineName("GPIO\($0)")) }
    let cycle = cycle(bench, on: chip)
    if !sinks.isEmpty { try cycle.record(with: Recorder(app: "busy", to: sinks)) }
    try bench.run(cycle)
    for number in 0..<seconds * clicksASecond {
      try buttons[number % 10].press()
      try bench.advance(by: .milliseconds(20))
      try buttons[number % 10].release()
      try bench.advance(by: .seconds(1) / clicksASecond - .milliseconds(20))
    }
    precondition(cycle.frame.clicks == seconds * clicksASecond, "each click counts")
    bench.stop()
  }

  /// Its recording.
  static func recording(seconds: Int) throws -> [UInt8] {
    let memory = RecordingBuffer(limit: 256 << 20)
    try run(seconds: seconds, recordedIn: [memory])
    return memory.bytes
  }
}

extension TwentyDevices.Frame: Recordable {
  func write(to recording: inout JSONWriter) {
    recording.beginArray()
    recording.write(clicks)
    recording.write(lamps)
    recording.endArray()
  }

  init(from recording: inout JSONReader) throws(RecordingTextFault) {
    self.init()
    try recording.beginArray()
    guard try recording.hasElement() else { throw recording.fault("the number of clicks is missing") }
    clicks = try recording.readInteger()
    guard try recording.hasElement() else { throw recording.fault("the lamps are missing") }
    lamps = try recording.readInteger()
    try recording.endArray()
  }
}
