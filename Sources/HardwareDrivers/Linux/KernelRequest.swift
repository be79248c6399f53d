import CycleCore

/// Lines of one chip, held by one request of the kernel (of libgpiod 1.6: by as many as that takes).
final class KernelRequest: LineRequest {
  let abilities: LineAbilities

  private let request: any SystemRequest
  private let chip: SystemChipInfo
  private let names: [LineName]
  private let outputs: LineValues
  private let deviceFolder: String
  private var watch: (watcher: Watcher, descriptor: Int32)?
  /// Outputs alone have no descriptor in the kernel's first interface: their chip is looked for whenever the device folder
  /// changes.
  @exclusivity(unchecked) private var presence: FolderWatch?
  private var isReleased = false

  init(_ share: ChipShare, consumer: String, generation: Int, deviceFolder: String) throws(DriverError) {
    do throws(SystemFailure) {
      request = try share.chip.request(share.lines, consumer: Self.shortened(consumer))
    } catch {
      throw GPIOFault.request(share, error)
    }
    chip = share.info
    self.deviceFolder = deviceFolder
    names = share.names
    var outputs = LineValues()
    for (index, line) in share.lines.enumerated() {
      if case .output = line.direction { outputs[index] = .active }
    }
    self.outputs = outputs
    abilities =
      generation == 1
      ? LineAbilities(debounces: false, numbersEdges: false, queueDepth: 16)
      : LineAbilities(debounces: true, numbersEdges: true, queueDepth: 1024)
  }

  deinit {
    release()
  }

  func watch(_ watcher: Watcher) throws(DriverError) {
    if !abilities.numbersEdges, outputs == .first(names.count) {
      presence = try FolderWatch(deviceFolder, watcher)
      return
    }
    let descriptor = request.descriptor
    try watcher.watch(descriptor)
    watch = (watcher, descriptor)
  }

  func readValues() throws(DriverError) -> LineValues {
    do throws(SystemFailure) {
      return try request.values()
    } catch {
      throw GPIOFault.use("read", names, of: chip, error)
    }
  }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    let mask = mask.intersection(outputs)
    if mask.isEmpty { return }
    do throws(SystemFailure) {
      try request.set(values, mask: mask)
    } catch {
      let written = names.indices.filter { mask[$0].isActive }.map { names[$0] }
      throw GPIOFault.use("set", written, of: chip, error)
    }
  }

  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    if let presence {
      presence.acknowledge()
      _ = try readValues()
      return 0
    }
    do throws(SystemFailure) {
      return try request.readEdges(into: edges)
    } catch {
      throw GPIOFault.use("read edges of", names, of: chip, error)
    }
  }

  func release() {
    if isReleased { return }
    isReleased = true
    // While the descriptor is open still: afterwards its number may be another's.
    if let watch { watch.watcher.unwatch(watch.descriptor) }
    watch = nil
    presence?.release()
    presence = nil
    request.release()
  }

  /// The kernel keeps 31 bytes; a letter is not cut in two.
  private static func shortened(_ consumer: String) -> String {
    var short = ""
    for letter in consumer.unicodeScalars {
      if short.utf8.count + String(letter).utf8.count > 31 { break }
      short.unicodeScalars.append(letter)
    }
    return short
  }
}
