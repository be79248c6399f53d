import CycleCore
import HardwareDrivers

/// Lines of one request that are on one chip.
struct ChipShare {
  var chip: any SystemChip
  var info: SystemChipInfo
  var lines: [SystemLine] = []
  /// The configuration of each line as requested.
  var configurations: [LineConfiguration] = []
  /// The index of each line in the request.
  var places: [Int] = []
}

/// Finds the chips that the lines of one request are on. Each request needs a new finder, because chips may be plugged
/// in or pulled out in between.
final class ChipFinder {
  /// The labels of the chips that are the header of a Raspberry Pi, the newest board first.
  static let headerLabels = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]

  private struct Candidate {
    var path: String
    var chip: any SystemChip
    var info: SystemChipInfo
    /// The name of each line, by offset; nil until they are first needed.
    var lineNames: [String]?
  }

  private let system: any GPIOSystem
  private let deviceFolder: String
  private var candidates: [Candidate] = []
  /// The first chip that this user has no permission to open, and the error.
  private var locked: (path: String, failure: SystemFailure)?

  init(system: any GPIOSystem, deviceFolder: String) {
    self.system = system
    self.deviceFolder = deviceFolder
  }

  /// Closes every chip that no request has taken over.
  func close() {
    for candidate in candidates { candidate.chip.close() }
    candidates = []
  }

  /// All chips that can be opened, at least one.
  func infos() throws(DriverError) -> [SystemChipInfo] {
    try openChips()
    guard !candidates.isEmpty else { throw GPIOErrorFactory.noChip(deviceFolder) }
    return candidates.map(\.info)
  }

  /// The lines of a request grouped by chip; the chips are in the order of their first lines.
  func shares(
    of lines: [LineConfiguration], on choice: GPIOChipPort.ChipChoice
  ) throws(DriverError) -> [ChipShare] {
    try openChips()
    var chosen: [(candidate: Int, offset: Int)?] = []
    for line in lines { chosen.append(try spelledOut(line)) }
    let home = try homeChip(for: lines.indices.filter { chosen[$0] == nil }.map { lines[$0] }, choice)
    var shares: [(candidate: Int, share: ChipShare)] = []
    for (place, line) in lines.enumerated() {
      let candidate: Int
      let offset: Int
      if let place = chosen[place] {
        (candidate, offset) = place
      } else {
        (candidate, offset) = try locate(line, home: home, isChosen: choice != .auto)
      }
      let wanted = SystemLine(line, offset: offset)
      let index: Int
      if let known = shares.firstIndex(where: { $0.candidate == candidate }) {
        index = known
      } else {
        index = shares.count
        shares.append((candidate, ChipShare(chip: candidates[candidate].chip, info: candidates[candidate].info)))
      }
      if let twin = shares[index].share.lines.firstIndex(where: { $0.offset == offset }) {
        throw LineRequestErrorFactory.namedTwice(shares[index].share.configurations[twin].name, line.name)
      }
      shares[index].share.lines.append(wanted)
      shares[index].share.configurations.append(line)
      shares[index].share.places.append(place)
    }
    return shares.map(\.share)
  }

  /// Opens every chip in the device folder. Throws if none can be opened and permission is missing for one.
  private func openChips() throws(DriverError) {
    var names: [String]
    do throws(SystemFailure) {
      names = try system.entries(of: deviceFolder)
    } catch {
      throw GPIOErrorFactory.unreadableFolder(deviceFolder, error)
    }
    names = names.filter { $0.hasPrefix("gpiochip") }.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    for name in names { try open("\(deviceFolder)/\(name)") }
    if candidates.isEmpty, let locked { throw GPIOErrorFactory.cannotOpen(locked.path, locked.failure) }
  }

  /// Opens the chip at a path and adds it to the candidates; returns its index there. Returns nil for a path that is
  /// not a chip, a chip that is gone, or one without permission. A chip that was already opened by another path, such
  /// as a link under an older name, is not added again.
  @discardableResult
  private func open(_ path: String) throws(DriverError) -> Int? {
    guard system.mayBeChip(path) else { return nil }
    do throws(SystemFailure) {
      let chip = try system.open(path)
      let info: SystemChipInfo
      do throws(SystemFailure) {
        info = try chip.info()
      } catch {
        chip.close()
        throw error
      }
      if let known = candidates.firstIndex(where: { $0.info.name == info.name }) {
        chip.close()
        return known
      }
      candidates.append(Candidate(path: path, chip: chip, info: info))
      return candidates.count - 1
    } catch {
      // It is gone since it was listed, or it is not a chip in spite of its name.
      if [.lost, .absent, .unsupported].contains(error.kind) { return nil }
      guard error.kind == .notPermitted else { throw GPIOErrorFactory.cannotOpen(path, error) }
      if locked == nil { locked = (path, error) }
      return nil
    }
  }

  /// The chip and offset of a line named like `gpiochip0:17`. Nil for other names, and if no such chip exists but a
  /// line has exactly this name.
  private func spelledOut(_ line: LineConfiguration) throws(DriverError) -> (candidate: Int, offset: Int)? {
    guard let (chipName, offset) = line.name.chipAndOffset else { return nil }
    let candidate: Int
    do throws(DriverError) {
      candidate = try chip(named: chipName)
    } catch {
      guard error.kind == .absent else { throw error }
      for index in candidates.indices where try lineNames(of: index).contains(line.name.description) { return nil }
      throw error
    }
    guard offset < candidates[candidate].info.lineCount else {
      throw GPIOErrorFactory.offsetTooLarge(offset, line, candidates[candidate].info)
    }
    return (candidate, offset)
  }

  /// The chip on which lines are searched first; nil for no preference.
  private func homeChip(
    for lines: [LineConfiguration], _ choice: GPIOChipPort.ChipChoice
  ) throws(DriverError) -> Int? {
    let names = lines.map(\.name.description)
    if names.isEmpty { return nil }
    if case .named(let name) = choice { return try chip(named: name) }
    if candidates.isEmpty { throw GPIOErrorFactory.noChip(deviceFolder) }
    for label in Self.headerLabels {
      if let header = candidates.firstIndex(where: { $0.info.label == label }) { return header }
    }
    for index in candidates.indices {
      let known = try lineNames(of: index)
      if names.allSatisfy(known.contains) { return index }
    }
    return nil
  }

  /// A chip by label, name or path.
  private func chip(named name: String) throws(DriverError) -> Int {
    if name.hasPrefix("/") {
      guard system.mayBeChip(name) else { throw GPIOErrorFactory.notAChip(name) }
      if let index = try open(name) { return index }
    } else if let index = candidates.firstIndex(where: { $0.info.label == name })
      ?? candidates.firstIndex(where: { $0.info.name == name })
      ?? candidates.firstIndex(where: { $0.path == "\(deviceFolder)/\(name)" })
    {
      return index
    } else if name.hasPrefix("gpiochip"), let index = try open("\(deviceFolder)/\(name)") {
      return index
    }
    if let locked { throw GPIOErrorFactory.cannotOpen(locked.path, locked.failure) }
    if candidates.isEmpty { throw GPIOErrorFactory.noChip(deviceFolder) }
    throw GPIOErrorFactory.unknownChip(name, candidates.map(\.info))
  }

  private func locate(
    _ line: LineConfiguration, home: Int?, isChosen: Bool
  ) throws(DriverError) -> (candidate: Int, offset: Int) {
    let name = line.name.description
    if let home, let offset = try offset(of: name, on: home) { return (home, offset) }
    if !isChosen {
      for index in candidates.indices where index != home {
        if let offset = try lineNames(of: index).firstIndex(of: name) { return (index, offset) }
      }
      if let locked { throw GPIOErrorFactory.cannotOpen(locked.path, locked.failure) }
    }
    var known: [String] = []
    if let home {
      known = try lineNames(of: home)
      if isHeader(home) { known += (0...27).map { "GPIO\($0)" } }
    } else {
      for index in candidates.indices { known += try lineNames(of: index) }
    }
    throw GPIOErrorFactory.unknownLine(
      line, on: home.map { candidates[$0].info }, known: known,
      mayCome: !isChosen && !(home.map(isHeader) == true && Self.isNameOfHeader(name)))
  }

  /// The offset of a line by its name. On a Pi's header `GPIO17` is offset 17, even if the kernel uses a different name
  /// for that line.
  private func offset(of name: String, on index: Int) throws(DriverError) -> Int? {
    if let offset = try lineNames(of: index).firstIndex(of: name) { return offset }
    guard isHeader(index), name.hasPrefix("GPIO"), let offset = Int(name.dropFirst(4)) else { return nil }
    return name == "GPIO\(offset)" && offset < candidates[index].info.lineCount ? offset : nil
  }

  /// Whether the name is one that only the header has: `GPIO` and a number.
  private static func isNameOfHeader(_ name: String) -> Bool {
    name.hasPrefix("GPIO") && UInt(name.dropFirst(4)) != nil
  }

  private func isHeader(_ index: Int) -> Bool { Self.headerLabels.contains(candidates[index].info.label) }

  private func lineNames(of index: Int) throws(DriverError) -> [String] {
    if let known = candidates[index].lineNames { return known }
    let candidate = candidates[index]
    var names: [String] = []
    do throws(SystemFailure) {
      for offset in 0..<candidate.info.lineCount { names.append(try candidate.chip.lineInfo(offset).name) }
    } catch {
      throw GPIOErrorFactory.unreadableLines(candidate.info, error)
    }
    candidates[index].lineNames = names
    return names
  }
}
