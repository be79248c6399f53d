import CycleCore
import HardwareDrivers

/// Lines of one chip, held by one kernel request; with libgpiod 1.6 several kernel requests may be needed for them.
final class KernelRequest: LineRequest {
  let abilities: EdgeCapabilities

  private let request: any SystemRequest
  private let system: any GPIOSystem
  private let heldLines: HeldLines
  private let chip: SystemChipInfo
  private let names: [LineName]
  private var lines: [SystemLine]
  private var outputs: LineValues
  private let deviceFolder: String
  @exclusivity(unchecked) private var stamps = EdgeStamps()
  private var watch: (watcher: Watcher, descriptor: Int32)?
  /// Set with libgpiod 1.6 if no line reports edges: the kernel's first interface then provides no descriptor to watch,
  /// so the chip is checked whenever the device folder changes.
  @exclusivity(unchecked) private var presence: FolderWatch?
  private var isReleased = false

  init(
    _ share: ChipShare, consumer: String, system: any GPIOSystem, heldLines: HeldLines, deviceFolder: String
  ) throws(DriverError) {
    do throws(SystemFailure) {
      request = try share.chip.request(share.lines, consumer: Self.shortened(consumer))
    } catch {
      throw GPIOErrorFactory.request(share, error, heldHere: heldLines)
    }
    self.system = system
    self.heldLines = heldLines
    chip = share.info
    self.deviceFolder = deviceFolder
    names = share.configurations.map(\.name)
    lines = share.lines
    outputs = Self.outputs(of: lines)
    abilities =
      system.generation == 1
      ? EdgeCapabilities(debounces: false, numbersEdges: false, queueDepth: 16)
      : EdgeCapabilities(debounces: true, numbersEdges: true, queueDepth: 1024)
    heldLines.insert(lines, of: chip)
  }

  deinit {
    release()
  }

  private static func outputs(of lines: [SystemLine]) -> LineValues {
    var outputs = LineValues()
    for (index, line) in lines.enumerated() where line.isOutput { outputs[index] = .active }
    return outputs
  }

  func watch(_ watcher: Watcher) throws(DriverError) {
    // A watch of the application that had the lines before this one.
    unwatch()
    if !abilities.numbersEdges, !lines.contains(where: \.hasEdges) {
      presence = try FolderWatch(deviceFolder, for: "a GPIO chip", watcher)
      return
    }
    let descriptor = request.descriptor
    try watcher.watchArrivals(descriptor)
    watch = (watcher, descriptor)
  }

  /// Must be called while the descriptor is still open: once closed, its number may belong to another file.
  private func unwatch() {
    if let watch { watch.watcher.unwatch(watch.descriptor) }
    watch = nil
    presence?.release()
    presence = nil
  }

  func reconfigure(_ configurations: [LineConfiguration]) throws(DriverError) {
    precondition(
      configurations.count == names.count && zip(configurations, names).allSatisfy { $0.name == $1 },
      "the lines that are reconfigured are those that were requested, in the same order")
    try LineRequestErrorFactory.check(configurations)
    let wanted = zip(configurations, lines).map { SystemLine($0, offset: $1.offset) }
    // In the kernel's first interface a change of the inputs that report edges replaces the descriptor.
    let watcher = abilities.numbersEdges ? nil : watch?.watcher ?? presence?.watcher
    let isWatchedAnew =
      watcher != nil && zip(lines, wanted).contains { ($0.hasEdges || $1.hasEdges) && $0 != $1 }
    if isWatchedAnew { unwatch() }
    let failure: DriverError?
    do throws(SystemFailure) {
      try request.reconfigure(wanted)
      failure = nil
      lines = wanted
      outputs = Self.outputs(of: wanted)
    } catch {
      var changed = names.indices.filter { lines[$0] != wanted[$0] }.map { names[$0] }
      if changed.isEmpty { changed = names }
      failure = GPIOErrorFactory.use("reconfigure", changed, of: chip, error)
    }
    if isWatchedAnew, let watcher {
      do throws(DriverError) {
        try watch(watcher)
      } catch {
        throw failure ?? error
      }
      // Edges may still be queued for a line that reports none any more. No descriptor signals them, so wake the
      // watcher to read them.
      watcher.makeWaker().wake()
    }
    if let failure { throw failure }
  }

  func readValues() throws(DriverError) -> LineValues {
    do throws(SystemFailure) {
      return try request.values()
    } catch {
      throw GPIOErrorFactory.use("read", names, of: chip, error)
    }
  }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    let mask = mask.intersection(outputs)
    if mask.isEmpty { return }
    do throws(SystemFailure) {
      try request.set(values, mask: mask)
    } catch {
      let written = names.indices.filter { mask[$0].isActive }.map { names[$0] }
      throw GPIOErrorFactory.use("set", written, of: chip, error)
    }
  }

  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    if let presence {
      presence.acknowledge()
      _ = try readValues()
    }
    do throws(SystemFailure) {
      let count = try request.readEdges(into: edges)
      if !abilities.numbersEdges, count > 0 {
        stamps.convert(UnsafeMutableBufferPointer(start: edges.baseAddress, count: count), system.clocks)
      }
      return count
    } catch {
      throw GPIOErrorFactory.use("read edges of", names, of: chip, error)
    }
  }

  func release() {
    if isReleased { return }
    isReleased = true
    unwatch()
    heldLines.remove(lines, of: chip)
    request.release()
  }

  /// The name cut to the 31 bytes that the kernel keeps, at the end of a Unicode scalar.
  private static func shortened(_ consumer: String) -> String {
    var short = ""
    for letter in consumer.unicodeScalars {
      if short.utf8.count + String(letter).utf8.count > 31 { break }
      short.unicodeScalars.append(letter)
    }
    return short
  }
}
