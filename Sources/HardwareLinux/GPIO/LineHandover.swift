import CycleCore
import HardwareDrivers

/// A chip that keeps lines requested, without an edge, while another application replaces the one that uses them.
///
///     try handover.begin(to: requests)  // new lines are requested; nothing has changed if that fails
///     old.stop()                        // lines that stay are not written, read or released
///     handover.end()
///     try new.start(on: loop)           // its requests get the lines that stayed
///     handover.releaseUnused()
///
/// A request of the application is one request of the kernel: its lines change in one call, and their edges arrive in
/// the kernel's order. The kernel can neither add a line to a request nor remove one. So if a request of the next
/// application has other lines, it uses the existing requests and a new one for the rest, as a ``CompositeRequest``. An
/// unused line is released together with the last used line of its request, or alone if the chip can do that.
/// Until then an output keeps its value, and
/// an input reports no edges. Lines are identified by their names: a different name means a different line.
package final class LineHandover: GPIOChip {
  private let chip: any GPIOChip
  private let clock: () -> Moment
  private var held: [HeldRequest] = []
  private var useCount = 0
  /// The lines that are not released now, between ``begin(to:consumer:)`` and ``end()``; nil at other
  /// times.
  fileprivate private(set) var staying: Set<LineName>?

  /// - Parameters:
  ///   - chip: the chip that requests go to.
  ///   - clock: the clock of its edges' time stamps.
  package init(_ chip: any GPIOChip, clock: @escaping () -> Moment) {
    (self.chip, self.clock) = (chip, clock)
  }

  /// The lines of each request of the application, in the order of the requests. Each line has its last configuration,
  /// an output its current value.
  package var requests: [[LineConfiguration]] {
    var lines: [Int: [LineConfiguration]] = [:]
    for held in held {
      for (line, use) in zip(held.lines, held.uses) where use != 0 { lines[use, default: []].append(line) }
    }
    return lines.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The last configuration of a held line, with the current value of an output; nil for a line that isn't held.
  ///
  /// - Parameter name: the name by which it was requested.
  package func configuration(of name: LineName) -> LineConfiguration? {
    place(of: name).map { $0.held.lines[$0.place] }
  }

  private func place(of name: LineName) -> (held: HeldRequest, place: Int)? {
    for request in held {
      if let place = request.lines.firstIndex(where: { $0.name == name }), !request.isSeparated[place] {
        return (request, place)
      }
    }
    return nil
  }

  // MARK: - The application's side

  /// - Throws: as the chip's own request; then no further line is held.
  package func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
    try LineRequestErrorFactory.check(lines)
    var shares: [(held: HeldRequest, places: [Int], lines: [Int])] = []
    var missing: [Int] = []
    for (line, configuration) in lines.enumerated() {
      // If a line is used twice, the chip's own error names the holder.
      guard let (request, place) = place(of: configuration.name), request.uses[place] == 0 else {
        missing.append(line)
        continue
      }
      let share = shares.firstIndex { $0.held === request } ?? shares.count
      if share == shares.count { shares.append((request, [], [])) }
      shares[share].places.append(place)
      shares[share].lines.append(line)
    }
    do throws(DriverError) {
      if !missing.isEmpty {
        shares.append((try hold(missing.map { lines[$0] }, consumer), Array(missing.indices), missing))
      }
      for share in shares { try share.held.configure(share.places, as: share.lines.map { lines[$0] }) }
    } catch {
      // Released, like all lines of a request that fails.
      for share in shares { dropIfUnused(share.held) }
      throw error
    }
    useCount += 1
    let parts = shares.map { share in
      CompositeRequest.Part(
        request: KeptRequest(share.held, share.places, use: useCount, of: self), lines: share.lines)
    }
    return parts.count == 1 ? parts[0].request : CompositeRequest(parts, clock: clock)
  }

  private func hold(_ lines: [LineConfiguration], _ consumer: String) throws(DriverError) -> HeldRequest {
    let request = HeldRequest(try chip.request(lines, consumer: consumer), lines)
    held.append(request)
    return request
  }

  package func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try chip.watchForReturn(watcher)
  }

  fileprivate func release(_ held: HeldRequest) {
    if !dropIfUnused(held) { held.retire(keeping: staying ?? []) }
  }

  /// Releases a request if none of its lines is used or stays. Returns whether it was released.
  @discardableResult
  private func dropIfUnused(_ request: HeldRequest) -> Bool {
    let isNeeded = zip(request.lines, request.uses).contains { $1 != 0 || staying?.contains($0.name) ?? false }
    if !isNeeded { drop(request) }
    return !isNeeded
  }

  private func drop(_ request: HeldRequest) {
    held.removeAll { $0 === request }
    request.release()
  }

  // MARK: - Handing over

  /// Requests the lines that are not held yet, those of each request together. From now on until ``end()`` the
  /// requests of the application don't change all these lines: they write nothing, read no edges, and release nothing.
  ///
  /// - Parameters:
  ///   - requests: the requests of the next application, outputs with their first values.
  ///   - consumer: the name of the holder.
  /// - Throws: as ``request(_:consumer:)``; then nothing has changed.
  package func begin(
    to requests: [[LineConfiguration]], consumer: String = LineConsumer.thisProgram
  ) throws(DriverError) {
    var new: [HeldRequest] = []
    do throws(DriverError) {
      for lines in requests {
        let missing = lines.filter { place(of: $0.name) == nil }
        if !missing.isEmpty { new.append(try hold(missing, consumer)) }
      }
    } catch {
      for request in new { drop(request) }
      throw error
    }
    staying = Set(requests.joined().map(\.name))
  }

  /// Ends the handover: the previous application has stopped. Lines that can be released one by one are free for others
  /// now, unless the next application uses them.
  package func end() {
    for request in held { request.separate(keeping: staying ?? []) }
    staying = nil
  }

  /// Releases the requests of which the application uses no line.
  package func releaseUnused() {
    for request in held { release(request) }
  }
}

/// A held request of the chip, independent of the users of its lines.
private final class HeldRequest {
  /// The maximum number of edges that are kept for users who have not read them yet.
  private static let mostWaiting = 1024
  /// The maximum number of consecutive reads of the kernel's queue for one of several users.
  private static let mostReads = 16

  private let request: any LineRequest
  /// The last configuration of each line; an output with the value that was written last.
  private(set) var lines: [LineConfiguration]
  /// The number of the use of each line; 0 for an unused line.
  private(set) var uses: [Int]
  /// Whether each line was released alone.
  private(set) var isSeparated: [Bool]
  /// The number of the last edge of each line that a user got.
  private(set) var sequences: [UInt32]
  /// The watchers of the users. The chip's request wakes the first; the others are woken for edges in ``waiting``.
  private var watchers: [(part: ObjectIdentifier, watcher: Watcher)] = []
  /// Edges of a line that a user of other lines has read.
  private var waiting: [LineEdge] = []
  /// Why the next watcher could not be set.
  private var failure: DriverError?

  init(_ request: any LineRequest, _ lines: [LineConfiguration]) {
    (self.request, self.lines) = (request, lines)
    uses = lines.map { _ in 0 }
    isSeparated = lines.map { _ in false }
    sequences = lines.map { _ in 0 }
  }

  var abilities: EdgeCapabilities { request.abilities }

  func use(_ places: [Int], as use: Int) {
    for place in places { uses[place] = use }
  }

  func release() { request.release() }

  /// Releases the unused lines alone, if the request can do that.
  func separate(keeping staying: Set<LineName>) {
    guard let request = request as? any SeparableLineRequest else { return }
    let places = lines.indices.filter { uses[$0] == 0 && !staying.contains(lines[$0].name) }
    request.release(at: places)
    for place in places { isSeparated[place] = true }
  }

  func readValues() throws(DriverError) -> LineValues { try request.readValues() }

  // MARK: - Configuration

  /// Configures lines. If the configurations differ only in the values of outputs, only these are written.
  func configure(_ places: [Int], as wanted: [LineConfiguration]) throws(DriverError) {
    var next = lines
    for (place, line) in zip(places, wanted) { next[place] = line }
    guard next != lines else { return }
    var (values, mask) = (LineValues(), LineValues())
    var before = lines
    for place in lines.indices {
      guard case .output(let value, _, _) = next[place].direction,
        case .output(let last, let drive, let bias) = before[place].direction
      else { continue }
      before[place].direction = .output(value, drive, bias)
      (values[place], mask[place]) = (value, LineValue(value != last))
    }
    if before == next { return try write(values, mask: mask) }
    try request.reconfigure(next)
    lines = next
  }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    guard !mask.isEmpty else { return }
    try request.write(values, mask: mask)
    for place in lines.indices where mask[place].isActive {
      guard case .output(_, let drive, let bias) = lines[place].direction else { continue }
      lines[place].direction = .output(values[place], drive, bias)
    }
  }

  /// Stops the edges of unused inputs. Outputs keep their values: a safe one was written before.
  ///
  /// - Parameter staying: the lines that the next application uses.
  func retire(keeping staying: Set<LineName>) {
    let places = lines.indices.filter { uses[$0] == 0 && lines[$0].hasEdges && !staying.contains(lines[$0].name) }
    // If that fails, their edges are dropped when they are read.
    try? configure(
      places,
      as: places.map { place in
        var line = lines[place]
        (line.edges, line.debounce) = (.none, .zero)
        return line
      })
  }

  // MARK: - Edges

  func watch(_ watcher: Watcher, for part: ObjectIdentifier) throws(DriverError) {
    if let place = watchers.firstIndex(where: { $0.part == part }) {
      watchers[place].watcher = watcher
    } else {
      watchers.append((part, watcher))
    }
    if watchers[0].part == part { return try request.watch(watcher) }
    // Edges may have been read for it before it watched.
    watcher.makeWaker().wake()
  }

  func unwatch(_ part: ObjectIdentifier) {
    let first = watchers.first?.part
    watchers.removeAll { $0.part == part }
    guard first == part, let next = watchers.first?.watcher else { return }
    do throws(DriverError) { try request.watch(next) } catch { failure = error }
    next.makeWaker().wake()
  }

  /// Reads edges of one use into a buffer, like ``LineRequest/readEdges(into:)``.
  ///
  /// - Parameters:
  ///   - part: the reader.
  ///   - take: converts an edge of the chip's request to one of the user's; nil if its line is not the user's.
  func readEdges(
    into edges: UnsafeMutableBufferPointer<LineEdge>, for part: ObjectIdentifier, _ take: (LineEdge) -> LineEdge?
  ) throws(DriverError) -> Int {
    if let failure {
      self.failure = nil
      throw failure
    }
    var count = waiting.isEmpty ? 0 : takeWaiting(into: edges, take)
    var others = false
    defer { if others { for other in watchers where other.part != part { other.watcher.makeWaker().wake() } } }
    for turn in 1... {
      let free = UnsafeMutableBufferPointer(rebasing: edges[count...])
      guard !free.isEmpty else { break }
      let read: Int
      do throws(DriverError) { read = try request.readEdges(into: free) } catch {
        // The next call throws it again.
        if count > 0 { return count }
        throw error
      }
      for place in 0..<read {
        let edge = free[place]
        if let own = take(edge) {
          edges[count] = own
          count += 1
          sequences[Int(edge.line)] = edge.sequence
        } else if uses[Int(edge.line)] != 0 {
          others = true
          if waiting.count == Self.mostWaiting { waiting.removeFirst() }
          waiting.append(edge)
        } else {
          sequences[Int(edge.line)] = edge.sequence
        }
      }
      if read < free.count { break }
      guard turn < Self.mostReads else {
        if count < edges.count { watchers.first { $0.part == part }?.watcher.makeWaker().wake() }
        break
      }
    }
    return count
  }

  private func takeWaiting(into edges: UnsafeMutableBufferPointer<LineEdge>, _ take: (LineEdge) -> LineEdge?) -> Int {
    var count = 0
    waiting.removeAll { edge in
      guard count < edges.count, let own = take(edge) else { return false }
      edges[count] = own
      count += 1
      sequences[Int(edge.line)] = edge.sequence
      return true
    }
    return count
  }
}

/// Lines of a held request that one request of the application uses.
private final class KeptRequest: LineRequest {
  private let held: HeldRequest
  private let handover: LineHandover
  /// The index of each line in the held request.
  private let places: [Int]
  /// For each index in the held request the line; -1 for a line of another user.
  private let linesByPlace: [Int32]
  /// For each line the number of the last edge before this application's first.
  private let before: [UInt32]
  private var isReleased = false

  init(_ held: HeldRequest, _ places: [Int], use: Int, of handover: LineHandover) {
    (self.held, self.handover, self.places) = (held, handover, places)
    var lines = [Int32](repeating: -1, count: held.lines.count)
    for (line, place) in places.enumerated() { lines[place] = Int32(line) }
    linesByPlace = lines
    before = places.map { held.sequences[$0] }
    held.use(places, as: use)
  }

  deinit { release() }

  /// Whether a line must stay unchanged for the next application.
  private func isFrozen(_ line: Int) -> Bool {
    guard let staying = handover.staying else { return false }
    return staying.contains(held.lines[places[line]].name)
  }

  /// Whether any line of the held request must stay unchanged: their edges are in one queue.
  private var hasFrozenLines: Bool {
    guard let staying = handover.staying else { return false }
    return held.lines.contains { staying.contains($0.name) }
  }

  var abilities: EdgeCapabilities { held.abilities }

  func watch(_ watcher: Watcher) throws(DriverError) { try held.watch(watcher, for: ObjectIdentifier(self)) }

  func readValues() throws(DriverError) -> LineValues {
    let values = try held.readValues()
    var own = LineValues()
    for (line, place) in places.enumerated() { own[line] = values[place] }
    return own
  }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    var (heldValues, heldMask) = (LineValues(), LineValues())
    for (line, place) in places.enumerated() {
      heldValues[place] = values[line]
      heldMask[place] = LineValue(mask[line].isActive && held.lines[place].isOutput && !isFrozen(line))
    }
    try held.write(heldValues, mask: heldMask)
  }

  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {
    precondition(
      lines.map(\.name) == places.map { held.lines[$0].name },
      "the lines that are reconfigured are those that were requested, in the same order")
    let free = places.indices.filter { !isFrozen($0) }
    try held.configure(free.map { places[$0] }, as: free.map { lines[$0] })
  }

  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    guard !hasFrozenLines else { return 0 }
    return try held.readEdges(into: edges, for: ObjectIdentifier(self)) { edge in
      let line = linesByPlace[Int(edge.line)]
      guard line >= 0 else { return nil }
      var own = edge
      own.line = line
      // The edges of each application are numbered from 1.
      if edge.sequence > 0 { own.sequence = edge.sequence &- before[Int(line)] }
      return own
    }
  }

  func release() {
    guard !isReleased else { return }
    isReleased = true
    held.use(places, as: 0)
    held.unwatch(ObjectIdentifier(self))
    handover.release(held)
  }
}
