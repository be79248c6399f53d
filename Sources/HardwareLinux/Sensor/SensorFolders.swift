import CycleCore
import Glibc
import HardwareDrivers

/// The folders of one kind of device, such as `/sys/bus/iio/devices/iio:device0`.
struct SensorFolders {
  /// The folder that contains them.
  let root: String
  /// The beginning of their names, before the number.
  let prefix: String
  /// The files in a folder that contain a name of the device.
  let nameFiles: [String]
  /// The name of such a device in errors, with its article.
  let device: String

  /// The path of the folder with this number or this name, or whose device has this name.
  ///
  /// Some drivers use the device tree's name, which ends with a place: a DHT22 at GPIO17 is `dht11@11`. `dht11` finds
  /// it, too.
  ///
  /// - Throws: kind `absent` with the list of existing folders; `misconfigured` if several have the name.
  func find(_ wanted: String, for fault: NumberErrorFactory) throws(DriverError) -> String {
    let folders = try list(for: fault)
    if let folder = folders.first(where: { $0 == wanted || $0 == prefix + wanted }) { return "\(root)/\(folder)" }
    var named = folders.filter { names(of: $0).contains(wanted) }
    if named.isEmpty { named = folders.filter { names(of: $0).contains { $0.hasPrefix("\(wanted)@") } } }
    if named.count > 1 { throw fault.ambiguous(wanted, named) }
    if let folder = named.first { return "\(root)/\(folder)" }
    let there = folders.map { folder in
      let names = names(of: folder)
      return names.isEmpty ? folder : "\(folder) (\(names.joined(separator: ", ")))"
    }
    throw fault.absent(
      "there is no \(device) \(wanted) in \(root)", remedy: Self.remedy(there, overlay: .named(wanted)))
  }

  /// A remedy that names the overlay of a known device, and lists the existing devices.
  ///
  /// - Parameters:
  ///   - there: the existing devices.
  ///   - overlay: the overlay that loads the kernel driver; nil if it is not known.
  static func remedy(_ there: [String], overlay: KernelSensorOverlay? = nil) -> String {
    let list = there.isEmpty ? "" : "There is \(there.joined(separator: ", "))."
    if let overlay {
      return "Add \(overlay.line) to config.txt, and restart the Pi; the panel file then needs "
        + "{ \(overlay.interface): \(overlay.device), channel: \(overlay.channels[0].name) }."
        + (list.isEmpty ? "" : " \(list)")
    }
    return there.isEmpty ? "There is none: check the wires, and the overlay that loads the kernel driver." : list
  }

  private func names(of folder: String) -> [String] {
    nameFiles.compactMap { SensorFile("\(root)/\(folder)/\($0)").word }.filter { !$0.isEmpty }
  }

  /// The names of the folders in the order of their numbers; empty if the kernel has no such devices.
  private func list(for fault: NumberErrorFactory) throws(DriverError) -> [String] {
    let entries: [String]
    do throws(SystemFailure) {
      entries = try Folder.entries(of: root)
    } catch {
      guard error.number == ENOENT else { throw SensorFile(root).explain(error, fault) }
      return []
    }
    let numbers = entries.compactMap { entry in entry.hasPrefix(prefix) ? Int(entry.dropFirst(prefix.count)) : nil }
    return numbers.sorted().map { "\(prefix)\($0)" }
  }

  /// The error for a channel that the device doesn't have, with the list of its channels.
  ///
  /// - Parameter channel: returns the channel that a file belongs to; nil for other files.
  static func noChannel(
    _ wanted: String, in folder: String, for fault: NumberErrorFactory, channel: (String) -> String?
  ) -> DriverError {
    let files = (try? Folder.entries(of: folder)) ?? []
    let there = Set(files.compactMap(channel)).sorted()
    return fault.absent(
      "\(folder) has no channel \(wanted)",
      remedy: there.isEmpty ? "It has no channel that can be read." : "It has \(there.joined(separator: ", ")).")
  }
}
