extension UnsafeMutableBufferPointer {
  /// Allocates memory with copies of these elements. The caller deinitializes and deallocates it.
  static func allocate(copying elements: [Element]) -> Self {
    let copy = allocate(capacity: elements.count)
    _ = copy.initialize(fromContentsOf: elements)
    return copy
  }
}
