import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@testable import HardwareLinux

@Suite("What an error is about")
struct ErrorSubjectTests {
  private func subject(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return "(no error)"
    } catch {
      return (error as? DriverError)?.subject
    }
  }

  @Test("a line, several lines, a chip")
  func lines() {
    let chip = SimulatedChip(Bench())
    let line = LineConfiguration("GPIO4", .input(.asIs))
    chip.line("GPIO4").hold(by: "gpioset")
    #expect(subject { _ = try chip.request([line]) } == "GPIO4")
    #expect(subject { _ = try chip.request([LineConfiguration("GPIO99", .input(.asIs))]) } == "GPIO99")
    chip.unplug()
    #expect(subject { _ = try chip.request([line]) } == "simulated")
    let storm = LineRequestErrorFactory.silent([LineName("GPIO4"), LineName("GPIO5")])
    #expect(storm.subject == "GPIO4, GPIO5")
  }

  @Test("a chip and a folder of this machine")
  func linux() {
    let line = LineConfiguration("GPIO4", .input(.asIs))
    let folder = LinuxGPIO(deviceFolder: "/no/such/folder")
    #expect(subject { _ = try folder.request([line]) } == "/no/such/folder")
  }

  @Test("a device on a bus, a sensor, a card, a file")
  func others() {
    let address: I2CAddress = 0x27
    #expect(I2CErrorFactory(bus: "i2c-1", address: address).absent().subject == "i2c-1 0x27")
    #expect(OneWireErrorFactory(sensor: "28-0316a2f1e4ff").absent().subject == "28-0316a2f1e4ff")
    #expect(subject { _ = try Clip(contentsOf: "/no/such/sound.wav") } == "/no/such/sound.wav")
    let bench = Bench()
    let card = SimulatedCard()
    card.unplug()
    #expect(subject { _ = try card.makeSink().open(PCMPreferences(), on: WorkClock(at: bench.now)) } == "simulated")
  }
}
