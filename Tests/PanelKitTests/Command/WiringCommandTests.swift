import Glibc
import TestSupport
import Testing

@testable import PanelKit

@Suite("The command panel wiring")
struct WiringCommandTests {
  private static let doorbell = "Examples/doorbell/doorbell.panel.yaml"

  @Test("prints the header and each circuit, with the device's name at its pin")
  func text() {
    let result = PanelProcess(["wiring", "--ascii", Self.doorbell]).finish()
    #expect(result.status == 0 && result.errors == "")
    for part in ["bell", "GPIO17 [11]", "[16] GPIO23", "330 ohm", "relay board, active low"] {
      #expect(result.output.contains(part), "\(part)")
    }
    #expect(result.output.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("--json has one line for each line of a device, with its terminal if it has several")
  func json() {
    let result = PanelProcess(["wiring", "--json", Self.doorbell]).finish()
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0 && lines.count == 11)
    #expect(lines.first == #"{"device": "bell", "kind": "push button", "line": "GPIO17", "pin": 11}"#)
    #expect(
      lines.contains(#"{"device": "knob", "kind": "rotary encoder", "terminal": "A", "line": "GPIO5", "pin": 29}"#))
  }

  @Test("writes a picture in place of one that is there, the same bytes each time")
  func picture() throws {
    withFiles { folder in
      let path = folder + "/doorbell.svg"
      func draw(_ arguments: [String] = []) -> String {
        #expect(PanelProcess(["wiring", Self.doorbell, "-o", path] + arguments).finish().status == 0)
        return bytes(of: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
      }
      let dark = draw(["--theme", "dark"])
      let automatic = draw()
      #expect(automatic.hasPrefix("<svg") && automatic.hasSuffix("</svg>\n") && automatic != dark)
      #expect(draw() == automatic)
      #expect(names(in: folder) == ["doorbell.svg"])
    }
  }

  @Test("a file that can't be written, and a name that is no picture's, are told")
  func faults() {
    let nowhere = PanelProcess(["wiring", Self.doorbell, "-o", "/nowhere/at/all.svg"]).finish()
    #expect(nowhere.status == 74)
    #expect(
      nowhere.errors.contains(
        "/nowhere/at/all.svg: can't be written: No such file or directory; write it to another place"))
    #expect(PanelProcess(["wiring", Self.doorbell, "-o", "x.png"]).finish().status == 64)
    let theme = PanelProcess(["wiring", Self.doorbell, "--theme", "dark"]).finish()
    #expect(theme.status == 64 && theme.errors.hasPrefix("panel wiring: --theme needs --output\n"))
  }
}
