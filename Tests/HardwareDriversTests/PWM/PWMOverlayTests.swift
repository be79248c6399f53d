import Testing

@testable import HardwareDrivers

@Suite("PWMOverlay")
struct PWMOverlayTests {
  @Test(
    "each channel of the hardware goes to the first line that it reaches, and the kernel's timers drive the others",
    arguments: [
      (["GPIO12"], ["pwm,pin=12,func=4"]), (["GPIO18"], ["pwm,pin=18,func=2"]), (["GPIO5"], ["pwm-gpio,gpio=5"]),
      (["GPIO13", "GPIO12"], ["pwm-2chan,pin=12,func=4,pin2=13,func2=4"]),
      (["GPIO18", "GPIO19", "GPIO6"], ["pwm-2chan,pin=18,func=2,pin2=19,func2=2", "pwm-gpio,gpio=6"]),
      (["GPIO12", "GPIO18"], ["pwm,pin=12,func=4", "pwm-gpio,gpio=18"]), (["GPIO28", "LED1", "GPIO"], []),
    ])
  func overlays(lines: [String], texts: [String]) {
    #expect(PWMOverlay.all(for: lines.map { LineName($0) }).map(\.text) == texts.map { "dtoverlay=\($0)" })
  }
}
