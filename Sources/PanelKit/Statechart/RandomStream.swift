/// Numbers by chance that depend on a seed alone: SplitMix64, by Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014.
struct RandomStream {
  /// The seed, and after each number what the next one depends on.
  var state: UInt64

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of the range. With n numbers in it, none is likelier than another by more than n / 2^64.
  mutating func next(in range: ClosedRange<Int>) -> Int {
    let count = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound)) &+ 1
    let number = next()
    // 0 stands for 2^64.
    guard count != 0 else { return Int(Int64(bitPattern: number)) }
    return range.lowerBound &+ Int(Int64(bitPattern: number.multipliedFullWidth(by: count).high))
  }
}
