/// Events as the JSON of a recording, for tests of drivers.
package enum EventText {
  /// Returns the JSON of an event; nil if a recording can't contain it.
  package static func text<Event>(of event: Event) -> String? {
    guard let codec = ValueCodec<Event>() else { return nil }
    var writer = JSONWriter()
    do throws(RecordingTextFault) {
      try withUnsafePointer(to: event) { (event) throws(RecordingTextFault) in try codec.write(event, &writer) }
    } catch {
      return nil
    }
    return writer.text
  }

  /// Returns the event of a text; nil if the text is not an event of the type.
  package static func event<Event>(_ text: String, of type: Event.Type) -> Event? {
    guard let codec = ValueCodec<Event>() else { return nil }
    return try? JSONReader.read(text) { (recording) throws(RecordingTextFault) in try codec.read(&recording) }
  }
}
