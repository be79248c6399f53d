import PanelKit

@main
enum PanelMain {
  static func main() { PanelCommand.main() }
}
