import CycleCore

/// The name of a line's holder, as shown by `gpioinfo`.
public enum LineConsumer {
  /// The name of this program's file, `doorbell` for `/opt/doorbell/doorbell`; `panel` if the system provides none.
  public static var thisProgram: String {
    guard let path = CommandLine.arguments.first, let name = path.split(separator: "/").last else { return "panel" }
    return String(name)
  }
}
