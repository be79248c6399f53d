import CycleCore
import Glibc
import HardwareDrivers

extension SerialPort: RealPort {
  public func makeReal() -> any SerialLine { LinuxSerial(path) }

  /// Checks that the device's node is there, and that this user may use it. Doesn't open it: that would reset some
  /// boards. Calls `stat` and `access`.
  public func inspect() throws(DriverError) {
    let fault = SerialErrorFactory(path)
    var info = stat()
    guard stat(path, &info) == 0 else { throw fault.absent(cause: SystemFailure.last("stat").cause) }
    guard info.st_mode & S_IFMT == S_IFCHR else { throw fault.notSerial() }
    guard access(path, R_OK | W_OK) == 0 else {
      let failure = SystemFailure.last("access")
      throw fault.notPermitted(failure.reason, cause: failure.cause)
    }
  }
}
