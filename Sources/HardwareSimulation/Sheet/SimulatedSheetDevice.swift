import CycleCore
import HardwareDrivers

/// A device with a sheet on a simulated serial line. It sends the frames of its sheet with the numbers of the world.
///
///     let meter = SimulatedSheetDevice(sheet, on: line)
///     meter.show(412, of: .init("co2"))
///
/// A device whose sheet has writes replies to them. Any other sends a frame each second, and when the line is opened.
public final class SimulatedSheetDevice: SimulatedSerialDevice, SimulatedNumberDevice {
  /// The place of a number: a reading of the sheet, with the settings of the program.
  public struct Place: Hashable, Sendable {
    public var reading: String
    public var settings: SheetSettings

    public init(_ reading: String, _ settings: SheetSettings = SheetSettings()) {
      (self.reading, self.settings) = (reading, settings)
    }
  }

  public let sheet: Sheet
  public let state = SimulatedNumbers<Place>()
  /// Whether the device has power and is connected to the line.
  public var isPlugged = true { didSet { if isPlugged != oldValue { state.noteChange() } } }

  // MARK: - Faults

  /// Whether the device sends nothing.
  public var isSilent = false
  /// The number of the next frames with a wrong bit in their middle, which a sum covers.
  public var damagedFrames = 0
  /// The number of the next frames that end in their middle.
  public var cutFrames = 0
  /// The time from a request to the reply.
  public var replyDelay = Duration.zero

  private weak var line: SimulatedSerial?
  /// The answers for each choice of settings that a program uses.
  private var answers: [SheetAnswers]

  /// Connects the device to a line.
  ///
  /// - Parameters:
  ///   - sheet: a sheet for a serial line.
  ///   - line: the line, without another device.
  public init(_ sheet: Sheet, on line: SimulatedSerial) {
    (self.sheet, self.line) = (sheet, line)
    answers = [SheetAnswers(sheet, sheet.example.settings)]
    line.connect(self)
    line.onPlug { [weak self] in self?.state.noteChange() }
    guard sheet.writtenBytes == nil else { return }
    line.repeatEvery(.seconds(1)) { [weak self] in self?.frames(after: nil).flatMap { $0 } ?? [] }
  }

  // MARK: - Numbers

  public var isReachable: Bool { isPlugged && line?.isPlugged ?? false }

  private func place(of settings: SheetSettings) -> Int {
    if let known = answers.firstIndex(where: { $0.settings == settings }) { return known }
    answers.append(SheetAnswers(sheet, settings))
    answers[answers.count - 1].takeBytes(of: answers[0])
    return answers.count - 1
  }

  public func show(_ number: Double, of place: Place) {
    let changed = self.place(of: place.settings)
    answers[changed].set(number, place.reading)
    for other in answers.indices where other != changed { answers[other].takeBytes(of: answers[changed]) }
  }

  public func shown(_ place: Place) -> Double? { answers[self.place(of: place.settings)].number(place.reading) }

  // MARK: - The line

  public func receive(_ bytes: [UInt8]) {
    for frame in frames(after: bytes) { line?.send(frame, after: replyDelay) }
  }

  /// The frames that are sent, with their faults.
  private func frames(after bytes: [UInt8]?) -> [[UInt8]] {
    guard isPlugged, !isSilent else { return [] }
    guard let frames = answers.lazy.compactMap({ $0.frames(after: bytes) }).first else { return [] }
    return frames.map { frame in
      var frame = frame
      if damagedFrames > 0 {
        damagedFrames -= 1
        frame[frame.count / 2] ^= 1
      }
      if cutFrames > 0 {
        cutFrames -= 1
        frame = Array(frame.prefix(frame.count / 2))
      }
      return frame
    }
  }
}
