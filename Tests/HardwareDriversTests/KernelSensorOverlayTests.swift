import Testing

@testable import HardwareDrivers

@Suite("KernelSensorOverlay")
struct KernelSensorOverlayTests {
  @Test("each chip is in the table once, with a channel")
  func table() {
    let all = KernelSensorOverlay.all
    #expect(all.map(\.chip) == Set(all.map(\.chip)).sorted())
    #expect(all.count >= 38 && all.allSatisfy { !$0.channels.isEmpty && !$0.overlay.contains(" ") })
    // The overlay i2c-sensor has an entry for each of these; max17040 has no IIO and no hwmon device.
    #expect(all.filter { $0.overlay.hasPrefix("i2c-sensor,") }.count >= 32)
  }

  @Test("a device is found by its name in the kernel, and by the name of the chip")
  func names() {
    #expect(KernelSensorOverlay.named("bme280")?.line == "dtoverlay=i2c-sensor,bme280")
    #expect(KernelSensorOverlay.named("sht40")?.device == "sht4x")
    #expect(KernelSensorOverlay.named("sht4x")?.chip == "sht40")
    #expect(KernelSensorOverlay.named("dht11@11")?.overlay == "dht11,gpiopin=17")
    #expect(KernelSensorOverlay.named("0") == nil)
  }
}
