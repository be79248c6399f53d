import CycleCore

/// Reads a source, and decides which numbers are news.
struct NumberChangeFilter {
  private let source: any NumberSource
  private var news: NumberNews
  private var smoothed: SmoothedReadings

  /// - Parameter decimals: 0 to 9.
  init(_ source: any NumberSource, decimals: Int, _ smoothing: Smoothing? = nil) {
    self.source = source
    news = NumberNews(decimals: decimals, smoothing)
    smoothed = SmoothedReadings(smoothing)
  }

  var name: String { source.name }
  var refusal: DriverError? { source.refusal }

  mutating func read(on clock: WorkClock) throws(DriverError) -> Double {
    let number = try source.readNumber(on: clock)
    guard number.isFinite else { throw NumberErrorFactory(source.name).notFinite() }
    return smoothed.take(number, at: clock.now)
  }

  func close() { source.close() }

  func isNews(_ number: Double) -> Bool { news.isNews(number) }
  mutating func noteReport(of number: Double) { news.note(number) }
  mutating func noteFailure() {
    news.forget()
    smoothed.forget()
  }
}
