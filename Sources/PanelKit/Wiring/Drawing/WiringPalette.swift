/// The colours of a picture, as hexadecimal RGB.
///
/// The contrast with the background is at least 4.5 to 1 for texts, and at least 3 to 1 for lines (WCAG 2.1). Red,
/// orange and near-black are for supplies only, as on jumper wires, and never for a line.
struct WiringPalette {
  let background: String
  let ink: String
  let muted: String
  /// The outline of free pins.
  let faint: String
  let card: String
  let cardEdge: String
  let headerBody: String
  /// The text on tabs.
  let onTab: String
  let ground: String
  let volts5: String
  let volts3: String
  /// The colours of devices, which rotate so that neighbours differ.
  let devices: [String]

  static let deviceCount = 6

  static let light = WiringPalette(
    background: "ffffff", ink: "1f2328", muted: "57606a", faint: "8c959f", card: "f6f8fa", cardEdge: "c3cad2",
    headerBody: "dfe4ea", onTab: "ffffff", ground: "1f2328", volts5: "c4141c", volts3: "a84f00",
    devices: ["0b5cad", "1a7f37", "7a3db8", "0b7285", "b0256f", "7a5200"])

  static let dark = WiringPalette(
    background: "11161d", ink: "e6edf3", muted: "9da7b3", faint: "6e7984", card: "1a212b", cardEdge: "3a4552",
    headerBody: "2a3441", onTab: "0d1117", ground: "d5dce4", volts5: "ff7b7b", volts3: "ffb057",
    devices: ["6cb6ff", "57c77a", "c79bff", "4fc7d9", "ff8ac4", "e0b04a"])

  /// The rules for the colours of all classes.
  var rules: String {
    var rules = ""
    func add(_ classes: String, fill: String? = nil, stroke: String? = nil) {
      let both = [fill.map { "fill:#\($0)" }, stroke.map { "stroke:#\($0)" }].compactMap(\.self)
      rules += ".\(classes){\(both.joined(separator: ";"))}"
    }
    add("page", fill: background)
    add("ink", fill: ink)
    add("dim", fill: muted)
    add("card", fill: card, stroke: cardEdge)
    add("body", fill: headerBody, stroke: cardEdge)
    add("free", fill: background, stroke: faint)
    add("on", fill: onTab)
    add("part", fill: background, stroke: ink)
    add("line", stroke: ink)
    add("halo", stroke: background)
    add("sign", stroke: background)
    for net in SupplyNet.allCases {
      let colour =
        switch net {
        case .ground: ground
        case .volts5: volts5
        case .volts3: volts3
        }
      add(net.strokeClass, stroke: colour)
      add(net.fillClass, fill: colour)
    }
    for (index, colour) in devices.enumerated() {
      add("c\(index)", stroke: colour)
      add("f\(index)", fill: colour)
    }
    return rules
  }
}

extension SupplyNet {
  /// The class of a wire.
  var strokeClass: String {
    switch self {
    case .ground: "gnd"
    case .volts3: "v3"
    case .volts5: "v5"
    }
  }

  /// The class of a tab, a dot or a text.
  var fillClass: String { "f\(strokeClass)" }
}

/// The colour scheme of a picture.
package enum WiringTheme: Sendable {
  /// The colours that the viewer prefers, and the light ones on paper.
  case automatic
  case light
  case dark

  /// The rules of the picture: those of shapes and texts, and those of colours.
  ///
  /// The rules don't use variables (`var()`), which librsvg and Inkscape don't support.
  var style: String {
    let light = WiringPalette.light.rules
    let dark = WiringPalette.dark.rules
    switch self {
    case .automatic:
      return Self.shapes + light + "@media screen and (prefers-color-scheme:dark){\(dark)}"
    case .light: return Self.shapes + light
    case .dark: return Self.shapes + dark
    }
  }

  private static let shapes = """
    text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:12px}.small{font-size:9.5px}.number{font-size:10px}\
    .kind{font-weight:400;font-size:11px}.text{font-size:11.5px}.name{font-weight:700;font-size:13px}\
    .title{font-weight:700;font-size:20px}.bold{font-weight:700}.mid{text-anchor:middle}.end{text-anchor:end}\
    .line,.wire,.halo,.rail,.sign,.ring{fill:none;stroke-linejoin:round;stroke-linecap:round}.line,.part{stroke-width:1.5}\
    .wire{stroke-width:2.4}.rail{stroke-width:3}.halo{stroke-width:6}.sign{stroke-width:1.6}
    """
}
