import Testing

@Suite("A panel from end to end", .serialized)
struct EndToEndConformanceTests {
  @Test(
    "on the kernel", .enabled(if: KernelPanel.isThere), arguments: EndToEndCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ endToEndCase: EndToEndCase) {
    endToEndCase.run(at: KernelLineStand.place, on: {}, reason: { _, _ in nil }, end: { _ in })
  }
}
