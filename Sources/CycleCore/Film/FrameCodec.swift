/// A frame that is a row of integers: a film then has, for each event, only the numbers that it has changed.
public protocol FilmRow: Equatable {
  /// How many numbers there are: as many in all frames of an application.
  var filmColumnCount: Int { get }
  /// A number, by its place from 0.
  subscript(filmColumn column: Int) -> Int { get set }
}

/// How the frames of an application become JSON and come back.
struct FrameCodec<Frame: Equatable> {
  let write: (UnsafePointer<Frame>, inout FilmWriter) throws(FilmFault) -> Void
  /// Reads a frame; what the film doesn't hold of it is as in another one.
  let read: (inout FilmReader, Frame) throws(FilmFault) -> Frame
  /// Writes the numbers that differ, as `[[column,number],…]`; nil for a frame that is no row.
  let writeChanges: ((_ from: UnsafePointer<Frame>, _ to: UnsafePointer<Frame>, inout FilmWriter) -> Void)?

  /// Nil if the frame is none of ``FilmRow``, ``Filmed`` and `Codable`.
  init?() {
    if let row = Frame.self as? any FilmRow.Type {
      self = Self.row(row)
    } else if let codec = FilmCodec<Frame>() {
      self.init(
        write: codec.write, read: { (film, _) throws(FilmFault) in try codec.read(&film) }, writeChanges: nil)
    } else {
      return nil
    }
  }

  private init(
    write: @escaping (UnsafePointer<Frame>, inout FilmWriter) throws(FilmFault) -> Void,
    read: @escaping (inout FilmReader, Frame) throws(FilmFault) -> Frame,
    writeChanges: ((UnsafePointer<Frame>, UnsafePointer<Frame>, inout FilmWriter) -> Void)?
  ) {
    self.write = write
    self.read = read
    self.writeChanges = writeChanges
  }

  // R is Frame, which the compiler does not know.
  private static func row<R: FilmRow>(_ type: R.Type) -> FrameCodec {
    func row(_ frame: UnsafePointer<Frame>) -> UnsafePointer<R> {
      UnsafeRawPointer(frame).assumingMemoryBound(to: R.self)
    }
    return FrameCodec(
      write: { (frame, film) throws(FilmFault) in
        row(frame).pointee.writeRow(to: &film)
      },
      read: { (film, other) throws(FilmFault) in
        var row = other as! R
        try film.beginArray()
        for column in 0..<row.filmColumnCount {
          guard try film.hasElement() else {
            throw film.fault("the frame has \(column) numbers; the application's have \(row.filmColumnCount)")
          }
          row[filmColumn: column] = try film.readInteger()
        }
        try film.endArray()
        return row as! Frame
      },
      writeChanges: { before, after, film in row(after).pointee.writeChanges(since: row(before).pointee, to: &film) })
  }
}

// Not in the closures above: there the compiler copies the frame for each column.
extension FilmRow {
  fileprivate func writeRow(to film: inout FilmWriter) {
    film.beginArray()
    for column in 0..<filmColumnCount { film.write(self[filmColumn: column]) }
    film.endArray()
  }

  fileprivate func writeChanges(since before: Self, to film: inout FilmWriter) {
    film.beginArray()
    for column in 0..<filmColumnCount {
      let number = self[filmColumn: column]
      guard number != before[filmColumn: column] else { continue }
      film.beginArray()
      film.write(column)
      film.write(number)
      film.endArray()
    }
    film.endArray()
  }
}
