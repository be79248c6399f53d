import HardwareDrivers

// The sun's times of ten years at five places: prints their digest.

/// FNV-1a with 64 bits.
struct Digest {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ number: Int) {
    for byte in 0..<8 {
      value ^= UInt64(truncatingIfNeeded: number >> (8 * byte)) & 0xff
      value &*= 0x100_0000_01b3
    }
  }

  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

let places = [
  Place(latitude: 52_520_000, longitude: 13_400_000), Place(latitude: 0, longitude: -78_467_800),
  Place(latitude: -33_868_800, longitude: 151_209_300), Place(latitude: 64_146_600, longitude: -21_942_600),
  Place(latitude: 78_220_000, longitude: 15_650_000),
]
var digest = Digest()
let first = CalendarDate(2025, 1, 1).day
for place in places {
  for day in first..<first + 3_652 {
    let sun = SunTimes(at: place, on: CalendarDate(day: day), offset: 0)
    digest.add(sun.sunrise ?? -1)
    digest.add(sun.sunset ?? -1)
    digest.add(sun.isUpAtNoon ? 1 : 0)
  }
}
print(digest.text)
