import HardwareLinux
import PanelLanguage
import Terminal

/// `{ file: /run/air }`: a file with a number in it.
package struct FileSource: NumberSensorSource {
  package static let grammar = FieldSet(
    name: "a file with a number", summary: "file with a number in it: its absolute path", sample: "{ file: /run/air }",
    keys: [Key(name: "file", takes: "the path of a file with a number in it: /run/air", shape: .text)]
      + NumberConversion.keys)

  package let place: NumberFile
  package var origin: String? { "its number is in the file \(place.name), which another program writes" }

  package init?(reading fields: DeviceFields) {
    guard let conversion = NumberConversion(reading: fields), let path = fields.text("file") else { return nil }
    guard path.hasPrefix("/"), path.isPrintable else {
      fields.problems.add(
        fields["file"]?.node.position ?? .start, "\(quoted(path)) is not an absolute path; start it with /")
      return nil
    }
    place = NumberFile(path, conversion: conversion)
  }
}
