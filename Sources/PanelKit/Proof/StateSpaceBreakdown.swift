import PanelEngine
import PanelLanguage

extension Search {
  /// The number of combinations of states among all situations.
  var configurationCount: Int {
    var found: Set<[Int]> = []
    for number in 0..<table.count {
      let frame = situation(numbered: number).frame
      found.insert(model.panel.regions.indices.map { frame[state: $0] })
    }
    return found.count
  }
}

/// The differences between the situations of a search: how many numbers the followed values and sensors have, and how
/// many combinations of times and contacts.
struct StateSpaceBreakdown {
  /// The subjects with more than one number, the most first.
  let numbers: [(subject: RangeRestriction.Subject, count: Int)]
  let times: Int

  init(_ search: Search) {
    let model = search.model
    let subjects: [RangeRestriction.Subject] =
      model.panel.values.indices.filter { model.slice.follows(value: $0) }.map { .value($0) }
      + model.slice.asked.readings.sorted().map { .sensor(input: $0) }
    var numbers = [Set<Int>](repeating: [], count: subjects.count)
    var times: Set<Int> = []
    for node in 0..<search.store.count {
      let situation = search.situation(node)
      for (place, subject) in subjects.enumerated() {
        numbers[place].insert(model.panel.number(of: subject, in: situation.frame))
      }
      times.insert(situation.hashOfTimes(in: search.store.zone(of: node)))
    }
    self.numbers = zip(subjects, numbers).map { (subject: $0, count: $1.count) }.filter { $0.count > 1 }
      .sorted { $0.count > $1.count }
    self.times = times.count
  }
}

extension PanelDefinition {
  /// A number that differs when the subject differs; for a list, a hash of its elements.
  fileprivate func number(of subject: RangeRestriction.Subject, in frame: PanelFrame) -> Int {
    switch subject {
    case .value(let value):
      return values[value].list.map { Array(frame.elements(of: $0)).hashValue } ?? frame[value: value]
    case .sensor(let input): return frame[reading: input]
    }
  }
}

extension Situation {
  /// A hash of everything except states, values and readings: contacts and clocks.
  fileprivate func hashOfTimes(in zone: Zone) -> Int {
    let places = frame.places
    var hasher = Hasher()
    for place in Int(places.position)..<Int(places.reading) { hasher.combine(frame[number: place]) }
    for place in Int(places.member)..<Int(places.source) { hasher.combine(frame[number: place]) }
    hasher.combine(phases)
    hasher.combine(instant.number)
    hasher.combine(clocks)
    hasher.combine(zone.bounds)
    return hasher.finalize()
  }
}
