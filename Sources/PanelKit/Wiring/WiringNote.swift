/// A note for building a circuit. A note for several devices is printed once.
public struct WiringNote: Hashable, Sendable {
  /// A part of the text that combines values of all devices with the note.
  enum Insert: Hashable, Sendable {
    case nothing
    /// The sum over the devices.
    case sum(Int)
    /// The different words of the devices, with a slash between them.
    case words([String])

    fileprivate func joined(with other: Insert) -> Insert {
      switch (self, other) {
      case (.sum(let a), .sum(let b)): .sum(a + b)
      case (.words(let a), .words(let b)): .words(a + b.filter { !a.contains($0) })
      default: self
      }
    }

    fileprivate var text: String {
      switch self {
      case .nothing: ""
      case .sum(let number): "\(number)"
      case .words(let words): words.joined(separator: "/")
      }
    }
  }

  /// Whether the note warns that a part, or the board, can be destroyed. These notes come first and have their own
  /// sign.
  public let isDanger: Bool

  private let beginning: String
  private var insert: Insert
  private let ending: String

  /// - Parameters:
  ///   - text: one or more sentences.
  ///   - isDanger: whether a part, or the board, can be destroyed.
  public init(_ text: String, isDanger: Bool = false) { self.init(text, .nothing, "", isDanger: isDanger) }

  init(_ beginning: String, _ insert: Insert, _ ending: String, isDanger: Bool = false) {
    self.isDanger = isDanger
    self.beginning = beginning
    self.insert = insert
    self.ending = ending
  }

  /// A warning about a part that 5 V can destroy. The text starts with "5 V".
  static func danger5V(_ text: String) -> WiringNote { WiringNote("5 V: \(text)", isDanger: true) }

  public var text: String { beginning + insert.text + ending }

  /// Adds the insert of another device's note with the same text around it. Returns false if the texts differ.
  mutating func merge(_ other: WiringNote) -> Bool {
    guard isDanger == other.isDanger, beginning == other.beginning, ending == other.ending else { return false }
    insert = insert.joined(with: other.insert)
    return true
  }
}

/// The notes of a plan, numbered from 1, dangers first.
struct NumberedNotes {
  /// The notes; note 1 is at index 0.
  let notes: [WiringNote]

  /// The numbers of the notes that concern each device, in order.
  let numbers: [[Int]]

  init(_ plan: WiringPlan) {
    var notes: [WiringNote] = []
    var concerned: [Set<Int>] = []
    func add(_ note: WiringNote, _ devices: [Int]) {
      if let place = notes.indices.first(where: { notes[$0].merge(note) }) {
        concerned[place].formUnion(devices)
      } else {
        notes.append(note)
        concerned.append(Set(devices))
      }
    }
    let devices = plan.allDevices
    for (index, device) in devices.enumerated() {
      for note in device.circuits.flatMap(\.notes) + device.notes { add(note, [index]) }
    }
    for shared in plan.sharedNotes {
      add(shared.note, devices.indices.filter { shared.devices.contains(devices[$0].name) })
    }
    for (first, chip) in plan.usedChips {
      for note in chip.notes { add(note, Array(first..<first + chip.devices.count)) }
      let pulledDown = chip.devices.indices.filter { chip.devices[$0].terminals.contains { $0.pull == .down } }
      if !chip.hasPullDowns, !pulledDown.isEmpty {
        add(.noPullDowns(of: chip.name), pulledDown.map { first + $0 })
      }
    }
    for (note, devices) in HeaderNotes.notes(of: plan) { add(note, devices) }
    if let note = plan.lamps.note { add(note, []) }

    let order = notes.indices.filter { notes[$0].isDanger } + notes.indices.filter { !notes[$0].isDanger }
    self.notes = order.map { notes[$0] }
    numbers = devices.indices.map { device in
      order.indices.filter { concerned[order[$0]].contains(device) }.map { $0 + 1 }
    }
  }

  /// Whether one of a device's notes is a danger.
  func hasDanger(device: Int) -> Bool { numbers[device].contains { notes[$0 - 1].isDanger } }
}
