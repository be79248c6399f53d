import CycleCore
import HardwareDrivers

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelProof

/// A search through what can happen on a panel with a button, a switch and one that follows from them, in steps of a
/// millisecond or a part of one, written otherwise than ``Search``: deadlines are counted down, nothing is kept symbolically.
struct MillisecondSearch {
  struct Node {
    var frame: PanelFrame
    /// The deadlines that the timer has, with the milliseconds that are left; nil for one that has come.
    var armed: [(id: PanelDeadline, left: Int?)] = []
    /// For each contact whether it is closed, and how long it has been so, up to the debounce time; nil for one that is
    /// unknown since the start.
    var contacts: [(isClosed: Bool?, age: Int)]
    /// The last contact that has moved at this moment: those that are debounced tell what they do in the order of the
    /// file.
    var last = -1
    /// The number of times that the clock was set. Each is on a date of its own, so that no time of day has fired on it.
    var day = 0
  }

  let rules: PanelRules
  let log = MoveRecorder()
  let show: PanelRendering
  /// The debounce time, in steps.
  let debounce: Int
  /// The number of steps in a millisecond. An input can occur between two deadlines that are a millisecond apart.
  let parts: Int
  /// The fewest inputs that lead to a violation; nil if none does.
  private(set) var violation: Int?
  /// For each state the fewest inputs that lead to it.
  private(set) var entered: [Int: Int] = [:]
  /// Whether there was too much to look at.
  private(set) var isTooLarge = false

  /// - Parameter debounce: the debounce time of the contacts, in milliseconds.
  init(_ panel: PanelDefinition, debounce: Int, parts: Int = 1) {
    self.parts = parts
    rules = PanelRules(panel: panel, recorder: log)
    show = PanelRendering(panel: panel)
    self.debounce = debounce * parts
  }

  mutating func run(most: Int) {
    var seen: Set<[Int]> = []
    var (queue, later): ([Node], [Node]) = ([], [])
    let contacts = rules.panel.inputs.count {
      type(of: $0.device).control == .button || type(of: $0.device).control == .switch
    }
    // Each contact is open, closed or unknown.
    var starts: [[Bool?]] = [[]]
    for _ in 0..<contacts { starts = starts.flatMap { start in [false, true, nil].map { start + [$0] } } }
    for start in starts {
      log.clear()
      var node = Node(frame: rules.blank(withChance: 0), contacts: start.map { ($0, 0) })
      for (contact, isClosed) in start.enumerated() {
        node.frame[position: contact] = isClosed.map { $0 ? 1 : 0 } ?? PanelFrame.unknownPosition
      }
      rules.begin(at: Moment(nanoseconds: 1), in: &node.frame)
      arm(&node)
      note(node, 0)
      queue.append(node)
    }
    var inputs = 0
    while !queue.isEmpty {
      var place = 0
      while place < queue.count {
        let node = queue[place]
        place += 1
        guard !node.frame.isStopped, seen.insert(key(node)).inserted else { continue }
        guard seen.count < most else {
          isTooLarge = true
          return
        }
        for contact in node.contacts.indices where debounce == 0 || contact > node.last {
          guard let isClosed = node.contacts[contact].isClosed else {
            for isClosed in [false, true] {
              let next = find(contact, isClosed, node)
              note(next, inputs + 1)
              later.append(next)
            }
            continue
          }
          guard node.contacts[contact].age >= debounce else { continue }
          let isRelease = contact == 0 && isClosed
          let next = move(contact, toClosed: !isClosed, node)
          note(next, inputs + (isRelease ? 0 : 1))
          if isRelease { queue.append(next) } else { later.append(next) }
        }
        for next in settingsOfClock(node) {
          note(next, inputs + 1)
          later.append(next)
        }
        let next = pass(node, inputs)
        queue.append(next)
      }
      (queue, later) = (later, [])
      inputs += 1
    }
  }

  private func move(_ contact: Int, toClosed isClosed: Bool, _ node: Node) -> Node {
    var next = node
    log.clear()
    next.contacts[contact] = (isClosed, 0)
    next.last = contact
    // A button's events are pressed and released, a switch's on and off.
    let event = PanelEvent.input(contact, isClosed ? 0 : 1)
    rules.react(to: event, at: Moment(nanoseconds: 1), in: &next.frame)
    arm(&next)
    return next
  }

  /// Finds a contact in a position, which is no event.
  private func find(_ contact: Int, _ isClosed: Bool, _ node: Node) -> Node {
    var next = node
    log.clear()
    next.contacts[contact] = (isClosed, 0)
    next.last = contact
    rules.find(isClosed ? 0 : 1, of: contact, at: Moment(nanoseconds: 1), in: &next.frame)
    arm(&next)
    return next
  }

  /// The clock becomes unknown, or it is set to a time, and there a time of day may fire.
  private func settingsOfClock(_ node: Node) -> [Node] {
    guard let clock = rules.panel.clock, let time = clock.inputs[.time] else { return [] }
    let isKnown = node.frame[position: time] != PanelFrame.unknownPosition
    var nodes: [Node] = []
    func add(_ change: (inout Node) -> Void) {
      var next = node
      log.clear()
      next.last = -1
      change(&next)
      arm(&next)
      nodes.append(next)
    }
    func follow(_ event: ClockDriver.Event, _ node: inout Node) {
      rules.follow(event, at: Moment(nanoseconds: 1), in: &node.frame)
    }
    func reading(_ minutes: Int, _ day: Int) -> ClockReading {
      ZoneRules.utc.reading(at: ((20_000 + day) * 1440 + minutes) * 60_000_000)
    }
    if isKnown { add { follow(.unknown, &$0) } }
    for minutes in RandomChart.minutes where !isKnown || minutes != node.frame[reading: time] {
      add { node in
        node.day += 1
        follow(isKnown ? .jumped(reading(minutes, node.day)) : .known(reading(minutes, node.day)), &node)
      }
    }
    for alarm in clock.alarms where isKnown {
      guard case .fixed(let minutes) = alarm.time else { continue }
      add { node in
        node.day += 1
        follow(.jumped(reading(minutes - 1, node.day)), &node)
        follow(.reached(reading(minutes, node.day)), &node)
      }
    }
    return nodes
  }

  /// What is due now comes, then a step passes.
  private mutating func pass(_ node: Node, _ inputs: Int) -> Node {
    var next = node
    for _ in 0..<20 {
      let due = next.armed.filter { $0.left == 0 }.map(\.id)
      if due.isEmpty { break }
      for place in next.armed.indices where next.armed[place].left == 0 { next.armed[place].left = nil }
      for id in due {
        log.clear()
        rules.react(to: id, at: Moment(nanoseconds: 1), in: &next.frame)
        arm(&next)
        note(next, inputs)
      }
    }
    next.last = -1
    for place in next.armed.indices { next.armed[place].left = next.armed[place].left.map { max(0, $0 - 1) } }
    for place in next.contacts.indices { next.contacts[place].age = min(debounce, next.contacts[place].age + 1) }
    return next
  }

  /// As ``CycleCore/Timer`` does.
  private func arm(_ node: inout Node) {
    let armed = node.armed
    node.armed = show.deadlines(in: node.frame).map { deadline in
      if let kept = armed.first(where: { $0.id == deadline.id }) { return kept }
      guard case .after(let span, _) = deadline.time else { return (deadline.id, nil) }
      return (deadline.id, span.wholeMilliseconds.map { $0 * parts })
    }
  }

  private mutating func note(_ node: Node, _ inputs: Int) {
    for state in log.entered { entered[state] = min(entered[state] ?? .max, inputs) }
    if node.frame.isStopped { violation = min(violation ?? .max, inputs) }
  }

  private func key(_ node: Node) -> [Int] {
    let frame = node.frame
    var key = rules.panel.regions.indices.map { frame[state: $0] } + rules.panel.values.indices.map { frame[value: $0] }
    key += rules.panel.values.compactMap(\.list).flatMap { frame.elements(of: $0) }
    if debounce > 0 { key.append(node.last) }
    for (input, numbers, counters) in rules.derived.numbers {
      key += [frame[position: input]] + numbers.filter { !counters.contains($0) }.map { frame[derived: $0] }
    }
    if let time = rules.panel.clock?.inputs[.time] {
      let isKnown = frame[position: time] != PanelFrame.unknownPosition
      key.append(isKnown ? frame[reading: time] : -1)
    }
    for (isClosed, age) in node.contacts { key += [isClosed.map { $0 ? 1 : 0 } ?? -1, age] }
    for (id, left) in node.armed {
      key += [id.ofState?.state ?? -1, id.ofState?.index ?? -1, left ?? -1]
    }
    return key
  }
}
