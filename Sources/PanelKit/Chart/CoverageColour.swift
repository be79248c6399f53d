/// A colour of a picture that shows the coverage of scenarios.
struct CoverageColour {
  var line: String
  var fill: String

  static let tried = CoverageColour(line: "#1a7f37", fill: "#dafbe1")
  static let untried = CoverageColour(line: "#cf222e", fill: "#ffebe9")
}
