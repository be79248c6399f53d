import CycleCore

/// Collects the characters that a reader types until Enter. Characters are those of a US keyboard, which readers have
/// by default.
///
///     digit, digit … Enter     the code
///     digit … longer than gap  incomplete: dropped
///     digit … F1 … Enter       a key without a character: dropped
struct TypedCode: Equatable, Sendable {
  /// The reason why a code was dropped.
  enum Fault: Equatable, Sendable {
    /// It has more characters than the longest code.
    case tooLong
    /// The reader stopped before Enter.
    case incomplete
    /// A key was pressed that types no character.
    case key(KeyCode)
    /// The kernel has dropped keys.
    case lostKeys
  }

  enum Result: Equatable, Sendable {
    case code(String)
    case fault(Fault)
  }

  let longest: Int
  let gap: Duration
  private var text = ""
  private var fault: Fault?
  /// The moment of the last key of the code; nil if none was pressed.
  private var last: Moment?
  private var isShifted = false

  init(longest: Int, gap: Duration) {
    (self.longest, self.gap) = (longest, gap)
  }

  /// The moment at which an incomplete code is dropped; nil if none has begun.
  var deadline: Moment? { last.map { $0 + gap } }

  /// Drops an incomplete code whose deadline has passed.
  mutating func settle(by moment: Moment) -> Result? {
    guard let deadline, deadline <= moment else { return nil }
    defer { clear() }
    return .fault(fault ?? .incomplete)
  }

  /// Applies a key, after ``settle(by:)``. Returns a code at Enter.
  mutating func receive(_ key: KeyCode, isDown: Bool, at moment: Moment) -> Result? {
    if Keyboard.shifts.contains(key) {
      isShifted = isDown
      return nil
    }
    guard isDown else { return nil }
    if Keyboard.enters.contains(key) {
      defer { clear() }
      if let fault { return .fault(fault) }
      // Readers that send CR and LF press Enter twice.
      return text.isEmpty ? nil : .code(text)
    }
    last = moment
    guard fault == nil else { return nil }
    guard let character = Keyboard.character(of: key, isShifted: isShifted) else {
      fault = .key(key)
      return nil
    }
    guard text.utf8.count < longest else {
      fault = .tooLong
      return nil
    }
    text.append(character)
    return nil
  }

  /// Drops the code that has begun, because keys are missing. The end of the one that the reader types now is dropped,
  /// too.
  mutating func lose(shift isDown: Bool, at moment: Moment) {
    text = ""
    fault = .lostKeys
    last = moment
    isShifted = isDown
  }

  /// Drops everything, because the device is closed. Returns a fault if a code had begun.
  mutating func end() -> Result? {
    defer {
      clear()
      isShifted = false
    }
    return last == nil ? nil : .fault(.incomplete)
  }

  private mutating func clear() { (text, fault, last) = ("", nil, nil) }
}
