/// A word, a number or a sign of an expression.
package struct Token: Equatable {
  package enum Kind: Equatable {
    /// A name, or a keyword such as `and`. It may contain a point: `state.doors`.
    case name
    /// A number, with or without a unit.
    case number
    /// One of `( ) + - * / ,`, a run of `= ! < >`, or `..`.
    case sign
    /// Digits between apostrophes: the elements of a list.
    case digits
    /// A character that is not allowed in expressions.
    case strange
  }

  package var kind: Kind
  package var text: String
  /// The offset of its first character in the expression, from 0.
  var offset: Int

  /// Splits a text into tokens. Blanks separate tokens and have no other meaning.
  ///
  /// A `-` directly after a letter or a digit of a name belongs to the name: `white-time`. Any other `-` is a sign.
  package static func list(of text: String) -> [Token] {
    var tokens: [Token] = []
    let scalars = Array(text.unicodeScalars)
    var place = 0
    func take(_ kind: Kind, while isPart: (Unicode.Scalar) -> Bool) {
      let start = place
      while place < scalars.count, isPart(scalars[place]) { place += 1 }
      tokens.append(Token(kind: kind, text: String(String.UnicodeScalarView(scalars[start..<place])), offset: start))
    }
    while place < scalars.count {
      let scalar = scalars[place]
      if scalar.properties.isWhitespace {
        place += 1
      } else if scalar.isLetter {
        take(.name) { $0.isLetter || $0.isDigit || $0 == "-" || $0 == "." }
      } else if scalar.isDigit {
        takeNumber()
      } else if "=!<>".unicodeScalars.contains(scalar) {
        take(.sign) { "=!<>".unicodeScalars.contains($0) }
      } else if scalar == ".", place + 1 < scalars.count, scalars[place + 1] == "." {
        tokens.append(Token(kind: .sign, text: "..", offset: place))
        place += 2
      } else if scalar == "'", let end = scalars[(place + 1)...].firstIndex(of: "'") {
        let text = String(String.UnicodeScalarView(scalars[place...end]))
        tokens.append(Token(kind: .digits, text: text, offset: place))
        place = end + 1
      } else {
        tokens.append(
          Token(
            kind: "()+-*/,".unicodeScalars.contains(scalar) ? .sign : .strange, text: String(Character(scalar)),
            offset: place))
        place += 1
      }
    }
    return tokens

    // A point belongs to a number if a digit follows: `4..1` is 4, two points, and 1.
    func takeNumber() {
      let start = place
      while place < scalars.count {
        let isPoint = scalars[place] == "." && place + 1 < scalars.count && scalars[place + 1].isDigit
        // A time of day: `06:30`.
        let isColon =
          scalars[place] == ":" && place - start == 2 && place + 2 < scalars.count && scalars[place + 1].isDigit
          && scalars[place + 2].isDigit && scalars[start..<place].allSatisfy(\.isDigit)
        guard scalars[place].isDigit || scalars[place].isLetter || isPoint || isColon else { break }
        place += 1
      }
      tokens.append(Token(kind: .number, text: String(String.UnicodeScalarView(scalars[start..<place])), offset: start))
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
