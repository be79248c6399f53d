import Testing

@testable import HardwareSimulation

@Suite("Listeners")
struct ListenersTests {
  private final class Owner {}

  @Test("a listener whose owner is gone is dropped when another is added, and one without an owner stays")
  func owners() {
    var listeners = Listeners<() -> Int>()
    let owner = Owner()
    listeners.add({ 1 }, for: nil)
    listeners.add({ 2 }, for: owner)
    for number in 3..<10 { listeners.add({ number }, for: Owner()) }
    #expect(listeners.all.map { $0() } == [1, 2, 9])
    listeners.add({ 10 }, for: owner)
    #expect(listeners.all.map { $0() } == [1, 2, 10])
  }
}
