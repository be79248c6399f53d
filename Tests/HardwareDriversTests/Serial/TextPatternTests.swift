import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("TextPattern")
struct TextPatternTests {
  private static func number(_ pattern: String, _ line: String, _ name: String? = nil) throws -> Double? {
    let pattern = try TextPattern(pattern)
    return pattern.number(name ?? pattern.names[0], in: Array(line.utf8))
  }

  private static let gga = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47"

  @Test("text, any text and a number match from the beginning of a line; the rest of the line is ignored")
  func matching() throws {
    for (pattern, line, number) in [
      ("t={t}", "t=21.5 °C", 21.5), ("t={t}", "at=21.5", nil), ("*t={t}", "at=21.5", 21.5),
      ("t={t} C", "t=21.5 F", nil),
      ("{t}", "-5", -5), ("{t}", " -5", nil), ("*{t}", "weight: +12.50 kg", 12.5), ("*{t}", "no number", nil),
      ("{a}", "1.5e3", 1500), ("{a}", "25E", 25), ("{a}", ".5", 0.5), ("{a}", "5.", 5), ("{a}", ".", nil),
      ("a**{a}", "a*7", 7), ("{{{a}}}", "{7}", 7), ("a,*,{a}", "a,,7", 7), ("a,*,{a}", "a,b,,7", nil),
      ("{a}", "1e400", nil), ("ST,GS,*{weight} kg", "ST,GS,+  12.34 kg", 12.34),
    ] as [(String, String, Double?)] {
      #expect(try Self.number(pattern, line) == number, "\(pattern) in \(line)")
    }
  }

  @Test("of several numbers one is read, and the others count as any text, also if they are missing")
  func several() throws {
    let pattern = "{a},{b},{c};"
    #expect(try Self.number(pattern, "1,2,3;", "a") == 1)
    #expect(try Self.number(pattern, "1,2,3;", "b") == 2)
    #expect(try Self.number(pattern, ",2,;", "b") == 2)
    #expect(try Self.number(pattern, ",2,;", "a") == nil)
    #expect(try Self.number(pattern, "1,2,3", "c") == nil)
  }

  @Test("an angle of NMEA is degrees and minutes, and negative in the south and in the west")
  func angles() throws {
    let latitude = try #require(try Self.number("$GPGGA,*,{latitude:nmea}", Self.gga))
    #expect((latitude * 1e6).rounded() == 48_117_300)
    let longitude = try #require(try Self.number("$GPGGA,*,*,*,{longitude:nmea}", Self.gga))
    #expect((longitude * 1e6).rounded() == 11_516_667)
    #expect(try Self.number("{a:nmea}", "4530.0,S") == -45.5)
    #expect(try Self.number("{a:nmea}", "12215.0,W,1") == -122.25)
    #expect(try Self.number("{a:nmea}", "-4530.0") == -45.5)
    #expect(try Self.number("{a:nmea}", "4560.0,N") == nil)
    #expect(try Self.number("{a:nmea}", "18100.0,E") == nil)
    #expect(try Self.number("$GPGGA,*,{latitude:nmea}", "$GPGGA,123519,,,,,0,00,,,M,,M,,*66") == nil)
  }

  @Test(
    "a wrong pattern is refused with its reason",
    arguments: [
      ("", "it has no number, such as {value}"), ("abc*", "it has no number, such as {value}"),
      ("{a", "a { has no }; write {{ for the character"), ("{a}}", "a } has no {; write }} for the character"),
      ("a}b{c}", "a } has no {; write }} for the character"),
      ("{}", "{} is no name; write letters, as in {value}"), ("{9}", "{9} is no name; write letters, as in {value}"),
      ("{a}{b}", "{a} and {b} have no text between them"),
      ("{a}*", "* follows {a}; write the text that ends the number between them"),
      ("{a},{a}", "it has {a} twice"), ("{a:hex}", "{a:hex} has an unknown notation; write {a} or {a:nmea}"),
      ("{a}\u{7}", "it has a control character, which no line contains"),
    ])
  func mistakes(pattern: String, reason: String) {
    do throws(TextPattern.Mistake) {
      _ = try TextPattern(pattern)
      Issue.record("\(pattern) is taken")
    } catch {
      #expect(error.reason == reason)
    }
  }

  @Test("a simulated line gives the numbers that it was made of, for random numbers of any sign")
  func roundTrip() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let patterns = [
      "t={a};{b}", "*a={a}, b={b} kg", "$GPGGA,*,{a:nmea},*,{b:nmea},E", "$X,{a:nmea},*,{b:nmea}", "{a} {b:nmea}",
    ]
    for source in patterns {
      let pattern = try TextPattern(source)
      for _ in 0..<200 {
        let numbers = [
          "a": Double.random(in: -179.99...179.99, using: &random),
          "b": (Double.random(in: -179...179, using: &random) * 8).rounded() / 8,
        ]
        let line = pattern.line(numbers)
        for (name, number) in numbers {
          let read = try #require(pattern.number(name, in: line), "seed \(seed), \(source), \(numbers)")
          #expect(abs(read - number) < 1e-9, "seed \(seed), \(source): \(String(decoding: line, as: UTF8.self))")
        }
      }
    }
  }

  @Test("random lines never crash the search, and every number that is found is finite")
  func randomLines() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let letters = Array("$GPA,*{}+-.0123456789eE:nmeNSW \u{B0}".unicodeScalars.map { UInt8($0.value) })
    for _ in 0..<500 {
      func text(_ longest: Int) -> [UInt8] {
        (0..<Int.random(in: 0...longest, using: &random)).map { _ in letters.randomElement(using: &random)! }
      }
      guard let pattern = try? TextPattern(String(decoding: text(12), as: UTF8.self) + "{x}") else { continue }
      let line = text(40)
      for name in pattern.names {
        if let number = pattern.number(name, in: line) { #expect(number.isFinite, "seed \(seed)") }
      }
    }
  }

  @Test("the checksum of NMEA is that of the standard's example; a line without one is wrong")
  func checksum() {
    #expect(TextChecksum.nmea.isRight(in: Array(Self.gga.utf8)))
    #expect(!TextChecksum.nmea.isRight(in: Array(Self.gga.replacing("545.4", with: "545.5").utf8)))
    for line in ["", "$", "$GPGGA", "$GPGGA*4", "GPGGA*47", "$A*+1", "*", "$*00x"] {
      #expect(TextChecksum.nmea.isRight(in: Array(line.utf8)) == (line == "$*00x"), "\(line)")
    }
    let made = TextChecksum.nmea.added(to: Array(Self.gga.utf8.dropLast(3)))
    #expect(String(decoding: made, as: UTF8.self) == Self.gga)
  }
}
