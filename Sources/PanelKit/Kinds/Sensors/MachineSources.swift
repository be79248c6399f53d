import CycleCore
import HardwareDrivers
import HardwareLinux
import PanelLanguage
import Terminal

/// `{ load: 1m }`: the load average of the machine.
package struct LoadSource: NumberSensorSource {
  package static let grammar = FieldSet(
    name: "the load of the machine", summary: "load average of the machine: number of processes that run or wait",
    sample: "{ load: 1m }",
    keys: [
      Key(
        name: "load", takes: "the time of the average: 1m, 5m or 15m", shape: .choice(LoadAverage.Span.self),
        meaning: "time over which the load is averaged")
    ])
  package static let usualInterval = Duration.seconds(10)

  package let place: LoadAverage
  package var origin: String? { "its number is the load of this machine" }

  package init?(reading fields: DeviceFields) {
    guard let span: LoadAverage.Span = fields.choice("load") else { return nil }
    place = LoadAverage(over: span)
  }
}

/// `{ disk: / }`: the part of a file system that is in use.
package struct DiskSource: NumberSensorSource {
  package static let grammar = FieldSet(
    name: "the use of a disk", summary: "part of a file system that is in use, in percent", sample: "{ disk: / }",
    keys: [
      Key(
        name: "disk", takes: "the path of a file or folder of the file system: /", shape: .text,
        meaning: "absolute path of any file or folder of the file system, such as `/`")
    ])
  package static let usualInterval = Duration.seconds(60)

  package let place: DiskUsage
  package var readable: [ClosedRange<Double>] { [0...100] }
  package var origin: String? { "its number is the use of the file system of \(place.name.dropFirst(5))" }

  package init?(reading fields: DeviceFields) {
    guard let path = fields.text("disk") else { return nil }
    guard path.hasPrefix("/"), path.isPrintable else {
      fields.addProblem(at: "disk", "\(quoted(path)) is not an absolute path; start it with /")
      return nil
    }
    place = DiskUsage(of: path)
  }
}

/// `{ ping: 192.168.1.1 }`: the time until another machine answers.
package struct PingSource: NumberSensorSource {
  package static let grammar = FieldSet(
    name: "the reply time of a machine",
    summary: "time until another machine answers, in milliseconds; without an answer within 1 s the sensor is lost",
    sample: "{ ping: 192.168.1.1 }",
    keys: [
      Key(
        name: "ping", takes: "a host name or an IP address: 192.168.1.1", shape: .text,
        meaning: "host name or IP address of the other machine")
    ])
  package static let intervals = Duration.seconds(1)...Sensor.longestInterval
  package static let usualInterval = Duration.seconds(10)

  package let place: PingTime
  package var readable: [ClosedRange<Double>] { [0...1000] }
  package var deviceClass: String? { "duration" }
  package var origin: String? { "its number is the time until \(place.name.dropFirst(5)) answers" }

  package init?(reading fields: DeviceFields) {
    guard let host = fields.text("ping") else { return nil }
    guard !host.isEmpty, host.utf8.count <= 253,
      host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"/@?#[]".utf8.contains($0) })
    else {
      fields.addProblem(at: "ping", "\(quoted(host)) is not a host name; write a name or an IP address")
      return nil
    }
    place = PingTime(to: host)
  }
}
