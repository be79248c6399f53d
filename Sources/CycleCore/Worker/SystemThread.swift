#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread on which all signals are blocked: the cycle's thread handles them. It must be detached or joined.
package struct SystemThread {
  /// The error if the system can't create a thread.
  package struct Refusal: Error {
    /// The code, as in `errno`.
    package var code: Int32
  }

  private final class Body {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
  }

  #if canImport(Glibc)
    private var thread = pthread_t()
  #else
    private var thread: pthread_t?
  #endif

  /// Starts the thread. Calls `pthread_create`.
  package init(_ run: @escaping () -> Void) throws(Refusal) {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // The thread inherits the mask.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let body = Unmanaged.passRetained(Body(run))
    let code = pthread_create(
      &thread, nil,
      { argument in
        let pointer: UnsafeMutableRawPointer? = argument
        Unmanaged<Body>.fromOpaque(pointer!).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard code == 0 else {
      body.release()
      throw Refusal(code: code)
    }
  }

  /// Detaches the thread: its resources are released when it ends.
  package func detach() {
    #if !canImport(Glibc)
      guard let thread else { return }
    #endif
    pthread_detach(thread)
  }

  /// Waits for the end of the thread.
  package func join() {
    #if !canImport(Glibc)
      guard let thread else { return }
    #endif
    pthread_join(thread, nil)
  }
}
