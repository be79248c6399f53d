extension UnsafeMutableBufferPointer {
  /// Memory with these elements, which whoever allocates it deinitializes and deallocates.
  static func allocate(copying elements: [Element]) -> Self {
    let copy = allocate(capacity: elements.count)
    _ = copy.initialize(fromContentsOf: elements)
    return copy
  }
}
