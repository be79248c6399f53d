import Glibc

/// Ctrl-C during a long computation: the command stops early and prints its results so far.
package enum InterruptFlag {
  // Set by a signal handler, which must not use a lock; an aligned word is written atomically.
  private nonisolated(unsafe) static var isSet: sig_atomic_t = 0

  /// Whether Ctrl-C was pressed since ``watch()``.
  package static var isRequested: Bool { isSet != 0 }

  /// Notes the next SIGINT; the one after it ends the program. Calls `sigaction`.
  package static func watch() {
    isSet = 0
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in InterruptFlag.isSet = 1 }
    // A program that a script started in the background ignores the signal, and continues to ignore it.
    var before = sigaction()
    sigaction(SIGINT, nil, &before)
    guard unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
    else { return }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
    sigaction(SIGINT, &action, nil)
  }
}
