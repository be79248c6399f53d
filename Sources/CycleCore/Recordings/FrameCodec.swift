/// A frame that is a row of integers. For each event, a film then contains only the changed numbers.
public protocol FilmRow: Equatable {
  /// The numbers. All frames of an application must have the same number of them.
  var filmNumbers: [Int] { get set }
}

/// The conversion of an application's frames to JSON and back.
package struct FrameCodec<Frame: Equatable> {
  package let write: (UnsafePointer<Frame>, inout FilmWriter) throws(FilmFault) -> Void
  /// Returns the digest of the text that ``write`` writes. It may use the writer, which is empty.
  let digest: (UnsafePointer<Frame>, inout FilmWriter) throws(FilmFault) -> FilmDigest
  /// Reads a frame. Parts of it that the film doesn't contain are copied from another frame.
  package let read: (inout FilmReader, Frame) throws(FilmFault) -> Frame
  /// Writes the numbers that differ, as `[[column,number],…]`; nil for a frame that is not a row.
  let writeChanges: ((_ from: UnsafePointer<Frame>, _ to: UnsafePointer<Frame>, inout FilmWriter) -> Void)?

  /// Makes the codec; nil if the frame is neither ``FilmRow`` nor ``Filmed`` nor `Codable`.
  package init?() {
    if let row = Frame.self as? any FilmRow.Type {
      self = Self.row(row)
    } else if let codec = FilmCodec<Frame>() {
      self.init(
        write: codec.write,
        digest: { (frame, film) throws(FilmFault) in
          try codec.write(frame, &film)
          var digest = FilmDigest()
          digest.add(film.written)
          return digest
        },
        read: { (film, _) throws(FilmFault) in try codec.read(&film) }, writeChanges: nil)
    } else {
      return nil
    }
  }

  private init(
    write: @escaping (UnsafePointer<Frame>, inout FilmWriter) throws(FilmFault) -> Void,
    digest: @escaping (UnsafePointer<Frame>, inout FilmWriter) throws(FilmFault) -> FilmDigest,
    read: @escaping (inout FilmReader, Frame) throws(FilmFault) -> Frame,
    writeChanges: ((UnsafePointer<Frame>, UnsafePointer<Frame>, inout FilmWriter) -> Void)?
  ) {
    self.write = write
    self.digest = digest
    self.read = read
    self.writeChanges = writeChanges
  }

  // R is Frame, but the compiler does not know it: the forced casts between them can't fail.
  private static func row<R: FilmRow>(_ type: R.Type) -> FrameCodec {
    func numbers(_ frame: UnsafePointer<Frame>) -> [Int] {
      // The compiler would copy a pointee that it can't change.
      readNumbers(&UnsafeMutableRawPointer(mutating: frame).assumingMemoryBound(to: R.self).pointee)
    }
    return FrameCodec(
      write: { (frame, film) throws(FilmFault) in numbers(frame).write(to: &film) },
      digest: { (frame, _) throws(FilmFault) in
        var digest = FilmDigest()
        digest.add(row: numbers(frame))
        return digest
      },
      read: { (film, other) throws(FilmFault) in
        var row = other as! R
        let count = row.filmNumbers.count
        let numbers = try [Int](from: &film)
        guard numbers.count == count else {
          throw film.fault("the frame has \(numbers.count) numbers; the application's have \(count)")
        }
        row.filmNumbers = numbers
        return row as! Frame
      },
      writeChanges: { before, after, film in film.write(changesFrom: numbers(before), to: numbers(after)) })
  }
}

private func readNumbers<R: FilmRow>(_ row: inout R) -> [Int] { row.filmNumbers }
