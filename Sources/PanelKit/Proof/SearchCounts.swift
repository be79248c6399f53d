extension Search {
  /// How many combinations of states there are among all situations.
  var configurationCount: Int {
    var found: Set<[Int]> = []
    for number in 0..<table.count {
      let frame = situation(numbered: number).frame
      found.insert(model.panel.regions.indices.map { frame[state: $0] })
    }
    return found.count
  }

  /// The followed values, with how many numbers of each there are among all situations: the most first, those with one number left
  /// out.
  var valueCounts: [(value: Int, count: Int)] {
    let values = model.panel.values.indices.filter { model.slice.follows(value: $0) }
    var found = [Set<[Int]>](repeating: [], count: values.count)
    for number in 0..<table.count {
      let frame = situation(numbered: number).frame
      for (place, value) in values.enumerated() {
        found[place].insert(
          model.panel.values[value].list.map { Array(frame.elements(of: $0)) } ?? [frame[value: value]])
      }
    }
    return zip(values, found).map { ($0, $1.count) }.filter { $0.1 > 1 }.sorted { $0.1 > $1.1 }
      .prefix(3).map { (value: $0.0, count: $0.1) }
  }
}
