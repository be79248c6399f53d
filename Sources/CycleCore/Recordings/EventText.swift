/// Events as the JSON of a film, for tests of drivers.
package enum EventText {
  /// Returns the JSON of an event; nil if a film can't contain it.
  package static func text<Event>(of event: Event) -> String? {
    guard let codec = FilmCodec<Event>() else { return nil }
    var writer = FilmWriter()
    do throws(FilmFault) {
      try withUnsafePointer(to: event) { (event) throws(FilmFault) in try codec.write(event, &writer) }
    } catch {
      return nil
    }
    return writer.text
  }

  /// Returns the event of a text; nil if the text is not an event of the type.
  package static func event<Event>(_ text: String, of type: Event.Type) -> Event? {
    guard let codec = FilmCodec<Event>() else { return nil }
    return try? FilmReader.read(text) { (film) throws(FilmFault) in try codec.read(&film) }
  }
}
