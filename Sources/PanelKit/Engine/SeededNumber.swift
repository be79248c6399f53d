import CycleCore
import HardwareSimulation

extension SeededGenerator {
  /// A number of the range. For a range of n numbers, no probability exceeds another by more than n / 2^64.
  ///
  /// Unlike those of the standard library, its results are the same with every version of Swift.
  mutating func number(in range: ClosedRange<Int>) -> Int {
    let count = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound)) &+ 1
    let number = next()
    // 0 stands for 2^64.
    guard count != 0 else { return Int(Int64(bitPattern: number)) }
    return range.lowerBound &+ Int(Int64(bitPattern: number.multipliedFullWidth(by: count).high))
  }
}
