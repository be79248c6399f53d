import Testing

@testable import HardwareDrivers

@Suite("SegmentText")
struct SegmentTextTests {
  private func text(_ text: String, _ count: Int = 4, colon: Bool = false, right: Bool = false) -> String {
    SegmentText(text, isRightAligned: right).frame(count: count, hasColon: colon).text
  }

  @Test("the segments of digits, as in every data sheet")
  func digits() {
    let frame = SegmentText("0123456789").frame(count: 10, hasColon: false)
    #expect(frame.digits == [0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F])
    #expect(SegmentText("-A").frame(count: 2, hasColon: false).digits == [0x40, 0x77])
  }

  @Test("a point belongs to the digit before it, and to itself if that one has a point or there is none")
  func points() {
    #expect(text("3.5") == "3.5  ")
    #expect(SegmentText("3,5").frame(count: 2, hasColon: false).digits == [0x4F | 0x80, 0x6D])
    #expect(SegmentText(".5..").frame(count: 3, hasColon: false).digits == [0x80, 0x6D | 0x80, 0x80])
    #expect(text("1.2.3.4.") == "1.2.3.4.")
  }

  @Test("a text with one colon is placed around the colon of a display that has one", arguments: [false, true])
  func colons(isRight: Bool) {
    for (written, digits) in [
      ("12:34", [0x06, 0x5B, 0x4F, 0x66]), ("4:59", [0, 0x66, 0x6D, 0x6F]), ("12:5", [0x06, 0x5B, 0x6D, 0]),
      (":", [0, 0, 0, 0]),
    ] as [(String, [UInt8])] {
      let frame = SegmentText(written, isRightAligned: isRight).frame(count: 4, hasColon: true)
      #expect(frame == SegmentFrame(digits: digits, showsColon: true), "\(written)")
    }
    #expect(text("123:4", colon: true, right: isRight) == "----")
    #expect(text("1:2:3", colon: true) == "1.2.3 ", "two colons are points")
    #expect(text("12:34") == "12.34")
    #expect(!SegmentText("1234").frame(count: 4, hasColon: true).showsColon)
  }

  @Test("a board with a colon and without points shows no number that is not there")
  func colonOnly() {
    func shown(_ text: String) -> String { SegmentText(text).frame(count: 4, hasColon: true).withColonOnly.text }
    #expect(shown("12.5") == "12:5 " && shown("12:34") == "12:34" && shown("1234") == "1234")
    #expect(shown("3.5") == "----" && shown("1.2.3") == "----")
  }

  @Test("the unit of a duration is no digit")
  func unit() {
    #expect(text("59.9s") == "59.9 " && !SegmentText("9s").fits(count: 4, hasColon: false))
    #expect(SegmentText("9S").fits(count: 4, hasColon: false))
  }

  @Test("a text that is too long is dashes, so that no digit is missing without notice")
  func tooLong() {
    #expect(text("12345") == "----" && text("-12.5") == "-12.5" && text("-112.5") == "----")
    #expect(text("7", right: true) == "   7" && text("7") == "7   ")
  }

  @Test("each character that has a picture is read as itself or as one with the same picture")
  func reading() {
    for character in "0123456789-_=AbCcdEFGHhJLnoPqrtUuy°\"'" {
      #expect(text(String(character), 1) == String(character))
    }
    #expect(text("OIS[") == "015C" && text("aBD") == "Abd ")
    for character in "KMVWXZkmvwxzäß%" { #expect(SegmentFont.segments(of: character) == nil) }
  }
}
