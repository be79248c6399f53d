import CycleCore

/// Clips at the device's rate. A clip of another rate is converted by a worker, once; until then it can't be played.
struct ConvertedClips {
  enum Answer {
    case ready(Clip)
    /// It is being converted; pass the result to ``take(_:)``.
    case converting
    /// It can't be converted.
    case refused(DriverError)
  }

  private struct Entry {
    let clip: Clip
    var result: Result<Clip, DriverError>?
  }

  /// The rate to convert to, in hertz.
  private(set) var rate = 0
  private var entries: [Entry] = []
  private let prepared: [Clip]
  /// The maximum number of clips that are kept besides the prepared ones.
  private static let capacity = 64

  init(preparing clips: [Clip]) {
    prepared = clips
  }

  /// Sets the rate. A different rate drops all converted clips.
  mutating func setRate(_ rate: Int) {
    guard rate != self.rate else { return }
    self.rate = rate
    entries = []
  }

  /// Returns the clip at the rate, or the reason why there is none yet.
  ///
  /// - Parameter request: sends a conversion to the worker; returns false if that isn't possible now.
  mutating func convert(_ clip: Clip, _ request: (ClipConversion) -> Bool) -> Answer {
    if clip.sampleRateHertz == rate { return .ready(clip) }
    if let known = entries.first(where: { $0.clip === clip }) {
      switch known.result {
      case .success(let result): return .ready(result)
      case .failure(let error): return .refused(error)
      case nil: return .converting
      }
    }
    if request(ClipConversion(clip: clip, rate: rate)) { add(clip) }
    return .converting
  }

  private mutating func add(_ clip: Clip) {
    let others = entries.indices.filter { index in !prepared.contains { $0 === entries[index].clip } }
    if others.count >= Self.capacity, let oldest = others.first { entries.remove(at: oldest) }
    entries.append(Entry(clip: clip))
  }

  /// Requests the conversion of the prepared clips, as many as the worker has room for.
  mutating func prepare(_ request: (ClipConversion) -> Bool) {
    for clip in prepared { _ = convert(clip, request) }
  }

  /// Stores a result. Returns false if it came too late: the rate has changed, or the clip was dropped.
  mutating func take(_ converted: ConvertedClip) -> Bool {
    guard converted.rate == rate, let index = entries.firstIndex(where: { $0.clip === converted.clip }) else {
      return false
    }
    entries[index].result = converted.result
    return true
  }
}

/// A clip to be converted to a rate in hertz.
struct ClipConversion: Sendable {
  var clip: Clip
  var rate: Int
}

/// The result of a conversion.
struct ConvertedClip: Sendable {
  var clip: Clip
  var rate: Int
  var result: Result<Clip, DriverError>
}

/// Converts clips, one in each step, so that stopping doesn't wait for all of them.
struct ConversionWork: Work {
  typealias Command = ClipConversion
  typealias Report = ConvertedClip

  let state = false

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    guard let next = context.receive() else { return .forCommand }
    do throws(DriverError) {
      if let clip = try next.clip.resampled(to: next.rate, mustEnd: { context.mustEnd }) {
        context.report(ConvertedClip(clip: next.clip, rate: next.rate, result: .success(clip)))
      }
    } catch {
      context.report(ConvertedClip(clip: next.clip, rate: next.rate, result: .failure(error)))
    }
    return .until(context.now)
  }
}
