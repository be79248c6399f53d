import HardwareDrivers
import Testing

@Suite("NumberText")
struct NumberTextTests {
  @Test(
    "the first decimal number of a text",
    arguments: [
      ("21562\n", 21562), ("-55000", -55000), ("0.000125000\n", 0.000125), ("21.5 °C", 21.5), ("+3", 3),
      ("t=-1250", -1250), ("in0: 3.3e3 V", 3300), ("1e-3", 0.001), (".5", 0.5), ("7.", 7), ("a 1 2 3", 1),
      ("28-000005", 28), ("sensor-5", 5), ("- 5", 5), ("12 V", 12), ("12V", 12), ("5E", 5), ("v1.5 20", 20),
      ("0x1F 3", 3), ("\u{0}\u{0}4", 4), ("temp1_input: 8", 8), ("2-1", 2), ("--2", -2),
    ])
  func number(text: String, number: Double) {
    #expect(NumberText.firstNumber(in: Array(text.utf8)) == number)
  }

  @Test(
    "a text without a number, and one with a number that no Double has",
    arguments: ["", "\n", "warm", "0x1F", "-", ".", "nan", "inf", "temp1", "1e999", "e5"])
  func none(text: String) {
    #expect(NumberText.firstNumber(in: Array(text.utf8)) == nil)
  }

  @Test("a number that ends where the reading ended may have been cut off")
  func cutOff() {
    let spaces = [UInt8](repeating: 0x20, count: 4090)
    #expect(NumberText.firstNumber(in: spaces + Array("123456".utf8)) == nil)
    #expect(NumberText.firstNumber(in: spaces + Array("12345\n".utf8)) == 12345)
    #expect(NumberText.firstNumber(in: spaces + Array("12345".utf8)) == 12345)
  }

  @Test(
    "an excerpt for a message",
    arguments: [
      ("warm\nand dry", "\"warm\""), ("\n  warm", "\"warm\""), ("a\u{0}b\u{1B}", "\"a\\x00b\\x1b\""),
      ("äöü", "\"äöü\""), ("", "\"\""),
      ("abcdefghijklmnopqrstuvwxyz_abcdefg", "\"abcdefghijklmnopqrstuvwxyz_abcde…\""),
    ])
  func excerpt(text: String, excerpt: String) {
    #expect(NumberText.excerpt(of: Array(text.utf8)) == excerpt)
  }
}
