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

  @Test("a colon is lit on a display that has one, and is a point on another")
  func colons() {
    #expect(text("12:34", colon: true) == "12:34")
    #expect(text("12:34") == "12.34")
    #expect(!SegmentText("1234").frame(count: 4, hasColon: true).showsColon)
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
