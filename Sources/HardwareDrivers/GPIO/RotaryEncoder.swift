import CycleCore

/// A rotary encoder with two contacts: clockwise, counterclockwise.
///
/// **Wiring.** The common pin to ground, A and B to a line each; the chip's pull-ups hold both high at rest. If the
/// direction is wrong, exchange A and B.
///
/// **Timing.** No debouncing: a bouncing contact alternates between two neighbouring states, and the transitions cancel
/// out. A detent is emitted with the time stamp of the edge that completed it. Edges in the first 5 ms after the lines
/// were requested are ignored: lines with capacitors are still rising then.
///
/// **Source.** Kernel documentation, `input/devices/rotary-encoder`.
///
///     Lens(RotaryEncoder(chip, lines: ("GPIO5", "GPIO6")), on: { frame, event in
///       if event == .clockwise { frame.volume += 1 }
///     })
public struct RotaryEncoder: LineDevice, EdgeReceiver {
  /// The number of transitions of the lines from one detent of the knob to the next.
  public enum Resolution: Equatable, Sendable {
    /// Four transitions: both contacts are open at every detent. Most encoders.
    case fullPeriod
    /// Two transitions: both open or both closed.
    case halfPeriod
    /// One transition: every change is a step.
    case quarterPeriod

    var quarters: Int {
      switch self {
      case .fullPeriod: 4
      case .halfPeriod: 2
      case .quarterPeriod: 1
      }
    }
  }

  public struct Settings: Equatable, Sendable {
    public var bias: Bias
    /// True for contacts to ground: closed is low.
    public var isActiveLow: Bool
    public var resolution: Resolution

    public init(
      bias: Bias = .pullUp, isActiveLow: Bool = true, resolution: Resolution = .fullPeriod
    ) {
      self.bias = bias
      self.isActiveLow = isActiveLow
      self.resolution = resolution
    }
  }

  public enum Event: Codable, Equatable, Sendable {
    /// One detent.
    case clockwise
    case counterclockwise
    /// The lines changed by two states in one step: a detent may be missing.
    case skipped
    /// This number of edges is missing; nil for an unknown number.
    case edgesLost(Int?)
  }

  public let chip: any GPIOChip
  private let names: [LineName]
  private let settings: Settings
  private var decoder: QuadratureDecoder
  /// The moment before which edges only set the state of the knob.
  private var settling = Moment.zero
  /// Longer than 100 nF take to rise at the 50 kΩ of a Raspberry Pi's pull-ups.
  private static let settlingTime = Duration.milliseconds(5)

  /// - Parameter lines: A and B.
  /// - Parameter settings: everything that has a default.
  /// - Parameter chip: the chip that the lines belong to.
  public init(_ chip: any GPIOChip, lines: (LineName, LineName), settings: Settings = Settings()) {
    self.chip = chip
    names = [lines.0, lines.1]
    self.settings = settings
    decoder = QuadratureDecoder(state: 0, resolution: settings.resolution)
  }

  public func refusal(of event: Event) -> String? {
    if case .edgesLost(let count) = event { LostEdgeCountCheck.refusal(of: count) } else { nil }
  }

  public var lines: [LineConfiguration] {
    names.map { LineConfiguration($0, .input(settings.bias), isActiveLow: settings.isActiveLow) }
  }

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    settling = moment + Self.settlingTime
    decoder = QuadratureDecoder(state: UInt8(values.rawValue & 3), resolution: settings.resolution)
  }

  public mutating func receive(_ edge: LineEdge, emit: Emit) {
    let bit: UInt8 = 1 << UInt8(edge.line)
    move(to: edge.value.isActive ? decoder.state | bit : decoder.state & ~bit, at: edge.moment, emit: emit)
  }

  private mutating func move(to state: UInt8, at moment: Moment, emit: Emit) {
    if moment < settling {
      decoder = QuadratureDecoder(state: state, resolution: settings.resolution)
      return
    }
    let (detents, skipped) = decoder.move(to: state)
    if skipped { emit(.skipped, moment) }
    if detents != 0 { emit(detents > 0 ? .clockwise : .counterclockwise, moment) }
  }

  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    emit(.edgesLost(count), moment)
  }

  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    move(to: UInt8(values.rawValue & 3), at: moment, emit: emit)
  }

  // `begin` gives the state of the knob again.
  public mutating func loseLines() {}
}

extension RotaryEncoder.Event: Recordable {
  public func write(to recording: inout JSONWriter) {
    switch self {
    case .clockwise: recording.write(plain: "clockwise")
    case .counterclockwise: recording.write(plain: "counterclockwise")
    case .skipped: recording.write(plain: "skipped")
    case .edgesLost(let count): recording.write(case: "edgesLost", count)
    }
  }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    let place = recording.offset
    switch try recording.readCase() {
    case ("clockwise", false): self = .clockwise
    case ("counterclockwise", false): self = .counterclockwise
    case ("skipped", false): self = .skipped
    case ("edgesLost", true): self = .edgesLost(try recording.readPayload())
    case (let name, _): throw recording.unknownCase(name, of: Self.self, at: place)
    }
  }
}
