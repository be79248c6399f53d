import CycleCore

/// The values with which an application starts, read once, before it starts.
///
/// `values` is read first. If it is cut, changed or can't be read, `values.old` is read, and then the initial values
/// are used. Each replacement is listed in ``warnings``. A folder without either file is a first start, which has no
/// warning.
///
///     var kept = KeptStart(reading: folder)
///     let level = kept.number(of: "level", in: 0...10, initial: 7)
public struct KeptStart: Sendable {
  /// All kept numbers, including those with names that the application doesn't use. They are saved again, so that a
  /// return to an earlier version of the application loses nothing.
  public private(set) var numbers: [String: Int] = [:]
  /// The warnings, in the order in which they were found.
  public private(set) var warnings: [DriverError] = []
  /// The start values that ``number(of:in:initial:)`` has returned.
  private(set) var given: [String: Int] = [:]
  /// Whether the numbers may not be in the folder yet, and must be saved.
  private(set) var isUnsaved = false
  /// Whether `values` was complete, so that it may become `values.old`.
  let isCurrentWhole: Bool

  /// Reads the folder, which may take long.
  ///
  /// - Parameter folder: the folder of the kept values.
  public init(reading folder: some KeptFolder) {
    let (current, currentFault) = Self.read(.values, of: folder)
    isCurrentWhole = current != nil
    if let current {
      numbers = current
      return
    }
    let (old, oldFault) = Self.read(.old, of: folder)
    let isFirst = currentFault == nil && old == nil && oldFault == nil
    if isFirst { return }
    let remedy = old == nil ? "The panel uses the initial values." : "values.old is used: the last save was cut."
    warnings.append(Self.warning(.values, of: folder, currentFault ?? "it is not there", remedy))
    if let oldFault { warnings.append(Self.warning(.old, of: folder, oldFault, "The panel uses the initial values.")) }
    numbers = old ?? [:]
  }

  /// The start of an application that replaces one that has ended, with the same folder, which is not read again.
  ///
  /// - Parameter numbers: the last numbers of the application that has ended; those with other names don't change.
  /// - Returns: the numbers without the warnings, which were reported before. They are saved soon, even if the other
  ///   application has saved them.
  public func continued(with numbers: [String: Int]) -> KeptStart {
    var next = self
    next.numbers.merge(numbers) { $1 }
    next.warnings = []
    next.given = [:]
    next.isUnsaved = true
    return next
  }

  private static func read(_ file: KeptFile, of folder: some KeptFolder) -> ([String: Int]?, String?) {
    do {
      guard let bytes = try folder.read(file) else { return (nil, nil) }
      guard bytes.count <= KeptText.longest else { return (nil, "it is longer than \(KeptText.longest) bytes") }
      return (try KeptText.numbers(in: bytes), nil)
    } catch let fault as KeptText.Fault {
      switch fault {
      case .otherKind: return (nil, "its first line is not \"panel-values 1\"")
      case .cut: return (nil, "it is cut")
      case .changed: return (nil, "its checksum is wrong")
      case .line(let number): return (nil, "line \(number) is not a name with a whole number")
      }
    } catch let error as DriverError {
      return (nil, error.reason)
    } catch {
      return (nil, "\(error)")
    }
  }

  private static func warning(
    _ file: KeptFile, of folder: some KeptFolder, _ reason: String, _ remedy: String
  ) -> DriverError {
    let path = "\(folder.name)/\(file.rawValue)"
    return DriverError(.failed, of: path, cannot: "use the kept values of \(path)", reason: reason, remedy: remedy)
  }

  /// The start number of a value.
  ///
  /// - Parameters:
  ///   - name: the value's name.
  ///   - range: the allowed range. A number outside it is replaced by the nearest number in it, and a warning is added.
  ///   - initial: the number if none was kept.
  ///   - word: the name in a warning; nil for the value's name.
  ///   - text: formats a number for a warning.
  /// - Returns: a number in the range, if `initial` is in it.
  public mutating func number(
    of name: String, in range: ClosedRange<Int>, initial: Int, called word: String? = nil,
    text: (Int) -> String = { "\($0)" }
  ) -> Int {
    guard let kept = numbers[name] else {
      given[name] = initial
      return initial
    }
    let number = min(max(kept, range.lowerBound), range.upperBound)
    given[name] = number
    if number != kept {
      warnings.append(
        DriverError(
          .failed, of: name, cannot: "start \(word ?? name) with \(text(kept)), which was kept",
          reason: "its range is \(text(range.lowerBound)) to \(text(range.upperBound))",
          remedy: "It starts with \(text(number))."))
    }
    return number
  }
}
