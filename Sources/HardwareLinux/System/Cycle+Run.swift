import CycleCore

extension Cycle where Lenses: ~Copyable {
  /// Runs on this machine until ``CycleCore/Cycle/requestStop()`` or one of the signals of
  /// ``HardwareLinux/StopSignals``; then every driver renders its safe model and stops. Call it before starting other
  /// threads, because they would otherwise receive the signals.
  ///
  /// - Throws: as ``CycleCore/Cycle/run(on:)``, and if no more descriptors can be opened.
  public func run() throws(DriverError) {
    let loop = try LinuxLoop()
    let signals = try StopSignals(on: loop) { [unowned self] _ in requestStop() }
    defer { signals.end() }
    try run(on: loop)
  }
}
