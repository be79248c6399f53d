import Glibc
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@Suite("The standard streams of a program")
struct StandardStreamSetupTests {
  @Test("writing to a pipe whose reader is gone is an error, and not the end of the program")
  func goneReader() {
    StandardStreamSetup.prepare()
    let ends = PanelProcess.makePipe()
    close(ends[0])
    var byte: UInt8 = 0
    #expect(write(ends[1], &byte, 1) == -1)
    #expect(errno == EPIPE)
    close(ends[1])
  }
}
