import Glibc

/// Ctrl-C during a command that computes: the command stops early and prints what it knows so far.
package enum Interruption {
  // Set by the handler of a signal, where a lock isn't allowed; an aligned word is written whole.
  private nonisolated(unsafe) static var isSet: sig_atomic_t = 0

  /// Whether Ctrl-C was pressed since ``watch()``.
  package static var isRequested: Bool { isSet != 0 }

  /// Notes the first SIGINT from now on; the second one ends the program. Calls `sigaction`.
  package static func watch() {
    isSet = 0
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Interruption.isSet = 1 }
    // One that was started in the background of a script ignores the signal, and keeps doing so.
    var before = sigaction()
    sigaction(SIGINT, nil, &before)
    guard unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
    else { return }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
    sigaction(SIGINT, &action, nil)
  }
}
