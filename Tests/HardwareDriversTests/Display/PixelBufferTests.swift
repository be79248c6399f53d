import HardwareDrivers
import Testing

@Suite("PixelBuffer")
struct PixelBufferTests {
  @Test("pixels are what was set, and those outside are dark")
  func pixels() {
    var pixels = PixelBuffer(width: 3, height: 16)
    pixels[2, 15] = true
    pixels[0, 8] = true
    pixels[0, 8] = false
    for (x, y) in [(-1, 0), (3, 0), (0, -1), (0, 16), (.max, .min)] {
      pixels[x, y] = true
      #expect(!pixels[x, y])
    }
    let lit = (0..<16).flatMap { y in (0..<3).map { ($0, y) } }.filter { pixels[$0.0, $0.1] }
    #expect(lit.map { "\($0)" } == ["(2, 15)"])
  }

  @Test("a rectangle is filled where it is inside")
  func fill() {
    var pixels = PixelBuffer(width: 4, height: 8)
    pixels.fill(x: 2..<90, y: -5..<2)
    pixels.fill(x: 3..<4, y: 0..<1, isLit: false)
    #expect(pixels.description.hasPrefix("..#.\n..##\n....\n"))
  }
}
