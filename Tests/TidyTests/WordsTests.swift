import Testing

/// The words of README, docs, help and messages. The judge of a text is a reader; this finds the rest.
@Suite("The words")
struct WordsTests {
  /// Words that have to be decoded, or that mean something else in the field.
  private static let words = [
    "tell", "tells", "told", "telling", "anew", "once more", "at once", "meanwhile", "amid", "nobody", "somebody",
    "whoever", "but for", "so many", "by chance", "made-up", "look whether", "looks whether", "looked whether", "mend",
    "mends", "mended", "at work", "stands in", "stand in", "brought to rest", "bring to rest", "brings to rest",
    "the usual", "goes on", "go on", "going on", "gone on", "hear", "hears", "says", "said",
  ]
  /// First words of a clause that is used as a noun.
  private static let openings = ["What", "Where", "Through", "That", "Whoever"]
  /// The longest sentence, in words.
  private static let longest = 35
  /// The pages of which sentences have 15 words or fewer on average; those of all others have 20.
  private static let forUsers = ["README.md", "docs/README.md", "docs/panels/", "docs/run/"]
  private static let references = [
    "docs/panels/reference.md", "docs/panels/commands.md", "docs/panels/messages.md",
  ]

  @Test("pages have plain words and short sentences", arguments: DocumentationTests.pages)
  func pages(_ page: String) throws {
    let sentences = Prose.sentences(ofPage: try #require(Checkout.text(page)))
    var count = 0
    for sentence in sentences {
      count += sentence.words.count
      let length = sentence.words.count
      #expect(length <= Self.longest, "\(page): a sentence of \(length) words: \(sentence.text)")
      // This page names the words.
      for word in Self.found(in: sentence.words) where page != "docs/internals/writing.md" {
        Issue.record("\(page): \"\(word)\" in: \(sentence.text)")
      }
    }
    guard !sentences.isEmpty else { return }
    let average = Double(count) / Double(sentences.count)
    let isForUsers = Self.forUsers.contains { page.hasPrefix($0) } && !Self.references.contains(page)
    print("\(Double(Int(average * 10)) / 10) words in a sentence of \(page)")
    #expect(average <= (isForUsers ? 15 : 20), "\(page)")
  }

  @Test("messages and help have plain words")
  func literals() {
    for file in SourceFile.all(below: "Sources") {
      for literal in Prose.literals(of: file.lines) where literal.contains(" ") {
        for word in Self.found(in: Prose.words(of: literal[...])) {
          Issue.record("\(file.path): \"\(word)\" in \"\(literal)\"")
        }
      }
    }
  }

  @Test("comments have plain words, and begin with what they describe")
  func comments() {
    for file in SourceFile.all(below: "Sources") {
      for (place, line) in file.lines.enumerated() {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("//") else { continue }
        let comment = text.drop { $0 == "/" }
        for word in Self.found(in: Prose.words(of: comment)) {
          Issue.record("\(file.path):\(place + 1): \"\(word)\" in:\(comment)")
        }
        let isFirst = place == 0 || !file.lines[place - 1].drop { $0 == " " }.hasPrefix("//")
        if isFirst, let opening = Self.openings.first(where: { comment.hasPrefix(" \($0) ") }) {
          Issue.record("\(file.path):\(place + 1): a comment begins with its noun, not with \"\(opening)\":\(comment)")
        }
      }
    }
  }

  /// The words of the list that a sentence has.
  private static func found(in sentence: [Substring]) -> [String] {
    let text = " " + sentence.map { $0.lowercased() }.joined(separator: " ") + " "
    return words.filter { text.contains(" \($0) ") }
  }
}

/// Sentences of Markdown and of Swift's literals.
private enum Prose {
  struct Sentence {
    var text: Substring
    var words: [Substring]
  }

  /// The words of a text, without what is in back quotes.
  static func words(of text: Substring) -> [Substring] {
    var plain: [Substring] = []
    for (place, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      if place.isMultiple(of: 2) {
        plain += part.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "'") }
      } else {
        plain.append("CODE")
      }
    }
    return plain
  }

  static func sentences(ofPage page: String) -> [Sentence] {
    paragraphs(of: page).flatMap { sentences(of: withoutTargets($0)[...]) }
  }

  /// Ends a sentence at a full stop, a question or exclamation mark, or a colon, with a blank behind it.
  private static func sentences(of text: Substring) -> [Sentence] {
    var sentences: [Sentence] = []
    var start = text.startIndex
    var isInCode = false
    var isAtEnd = false
    for place in text.indices {
      let character = text[place]
      if character == " ", isAtEnd {
        sentences.append(Sentence(text: text[start..<place], words: words(of: text[start..<place])))
        start = place
      }
      if character == "`" { isInCode.toggle() }
      isAtEnd = !isInCode && (".?!:".contains(character) || (isAtEnd && ")*\"".contains(character)))
    }
    sentences.append(Sentence(text: text[start...], words: words(of: text[start...])))
    // A heading of a list, a number, a name or an enumeration is no sentence.
    return sentences.filter { $0.words.count > 2 && $0.words.count > 3 * $0.text.count { $0 == "," } }
  }

  /// Paragraphs, items of lists and cells of tables, without code.
  private static func paragraphs(of page: String) -> [String] {
    var paragraphs: [String] = []
    var open: [Substring] = []
    var isInCode = false
    func close() {
      if !open.isEmpty { paragraphs.append(open.joined(separator: " ")) }
      open = []
    }
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      var text = line.drop { $0 == " " }
      if text.hasPrefix("```") {
        close()
        isInCode.toggle()
        continue
      }
      if isInCode || (open.isEmpty && line.hasPrefix("    ")) { continue }
      if text.isEmpty || text.hasPrefix("#") || text.hasPrefix("<") {
        close()
      } else if text.hasPrefix("|") {
        close()
        // A cell is a list as often as it is a sentence.
        paragraphs += text.split { $0 == "|" || $0 == ";" }.map(String.init)
      } else {
        let number = text.prefix { $0.isNumber }
        let isNumbered = !number.isEmpty && text.dropFirst(number.count).hasPrefix(". ")
        let isItem = isNumbered || text.hasPrefix("- ") || text.hasPrefix("* ")
        if isItem {
          close()
          text = text.drop { $0 != " " }.dropFirst()
        }
        open.append(text)
      }
    }
    close()
    return paragraphs
  }

  /// The text with the words of links, and without where they lead.
  private static func withoutTargets(_ text: String) -> String {
    var plain = ""
    for (place, part) in text.split(separator: "](", omittingEmptySubsequences: false).enumerated() {
      plain += place == 0 ? part : part.drop { $0 != ")" }.dropFirst()
    }
    return plain
  }

  /// The literals of a file of Swift, without what is interpolated into them.
  static func literals(of lines: [Substring]) -> [String] {
    var literals: [String] = []
    var isInText = false
    for line in lines {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("//") { continue }
      if isInText {
        if text.contains("\"\"\"") { isInText = false } else { literals.append(String(text)) }
        continue
      }
      if text.contains("\"\"\"") {
        isInText = text.split(separator: "\"\"\"", omittingEmptySubsequences: false).count.isMultiple(of: 2)
        continue
      }
      var literal = ""
      var isOpen = false
      var isEscaped = false
      var depth = 0
      for character in text {
        if depth > 0 {
          depth += character == "(" ? 1 : character == ")" ? -1 : 0
        } else if isEscaped {
          isEscaped = false
          if character == "(" { depth = 1 }
        } else if isOpen, character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          if isOpen { literals.append(literal) }
          literal = ""
          isOpen.toggle()
        } else if isOpen {
          literal.append(character)
        }
      }
    }
    return literals
  }
}
