internal import CLinux
import CycleCore
import Glibc

/// The access of a request.
enum Access: Int, Comparable {
  case none, watch, control

  static func < (one: Access, other: Access) -> Bool { one.rawValue < other.rawValue }
}
