import CycleCore
import Testing

@Suite("A value that no recording can hold, as text")
struct ReflectedFrameTests {
  private struct Box {
    var inner: Any
  }

  @Test(
    "it is taken apart 32 deep; what is deeper is one text",
    arguments: [(3, 3), (31, 31), (32, 32), (33, 32), (40, 32)])
  func depth(count: Int, parts: Int) {
    func text(_ number: Int) -> FlattenedFrame {
      var box = Box(inner: number)
      for _ in 1..<count { box = Box(inner: box) }
      return FlattenedFrame(of: box)
    }
    let paths = text(7).differences(from: text(8)) { path, _, _ in path }
    #expect(paths == [Array(repeating: "inner", count: parts).joined(separator: ".")])
  }
}
