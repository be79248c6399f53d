import Testing

@Suite("A panel from end to end", .serialized)
struct EndToEndConformanceTests {
  @Test("on the kernel", .enabled(if: KernelPanel.isThere), arguments: EndToEndCase.all.filter(\.isWanted))
  func kernel(_ endToEndCase: EndToEndCase) throws {
    try endToEndCase.run(on: (), place: KernelLineStand.place, reason: { _ in nil }, end: {})
  }
}
