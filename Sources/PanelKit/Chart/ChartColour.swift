/// A colour of a picture that shows the coverage of scenarios.
struct ChartColour {
  var line: String
  var fill: String

  static let tried = ChartColour(line: "#1a7f37", fill: "#dafbe1")
  static let untried = ChartColour(line: "#cf222e", fill: "#ffebe9")
}
