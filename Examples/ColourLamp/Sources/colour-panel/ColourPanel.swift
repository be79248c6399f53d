import ColourLamp
import PanelKit

@main
enum ColourPanel {
  static func main() {
    PanelCommand.main(
      kinds: .standard.adding(
        outputs: [ColourLampKind.self, ColourLampGroup.self, BacklightKind.self, WinchKind.self]))
  }
}
