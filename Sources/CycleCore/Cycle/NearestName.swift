/// Returns the name of `known` that `name` most likely means; nil if none is similar.
package func nearest(to name: String, among known: [String]) -> String? {
  let wanted = Array(name.lowercased().utf8.prefix(41))
  guard (2...40).contains(wanted.count) else { return nil }
  var best: (name: String, distance: Int)?
  for candidate in known.prefix(200) {
    let letters = Array(candidate.lowercased().utf8.prefix(41))
    let limit = min(3, max(wanted.count, letters.count) / 3)
    guard abs(letters.count - wanted.count) <= limit else { continue }
    let distance = editDistance(wanted, letters)
    if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.name
}

/// Returns the number of letters to insert, delete, replace or swap with their neighbour to turn `a` into `b`.
package func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
