import Synchronization

/// A ``Cycle`` without the types of its lenses: the interface to run, test and observe an application.
///
/// `any Application<Counter>` is an application whose frames are counters; `any Application` has frames of any type. A
/// bench runs both.
public protocol Application<Frame>: AnyObject {
  associatedtype Frame: Equatable

  /// The current frame.
  var frame: Frame { get }
  /// The number of the current frame; the first one is 0.
  var frameNumber: Int { get }
  /// Calls `observer` with each new frame and its moment, after all drivers have rendered the frame. Observers are
  /// called in the order of adding, until the observation is ended.
  @discardableResult
  func observe(_ observer: @escaping (_ frame: Frame, _ moment: Moment) -> Void) -> Observation
  /// Passes each event and each trouble to `tap` before it is reduced, until the observation is ended.
  @discardableResult
  func tap(_ tap: any EventTap) -> Observation
  /// Records everything from the start on. Must be called before the start. A further call replaces the recorder.
  ///
  /// - Throws: kind `misconfigured` if the frame is neither ``Recordings/RowFrame`` nor ``Recordings/Recordable`` nor
  ///   `Codable`. If the events of a lens are neither ``Recordings/Recordable`` nor `Codable`, the start throws an
  ///   error that names the lens.
  func record(with recorder: Recorder) throws(DriverError)
  /// Plays the events and troubles of a recording in place of the drivers' own. Compares the frames that the event
  /// filters make of them with the recording's frames.
  func replay(_ recording: RecordingReader, _ options: ReplayOptions) throws -> ReplayReport
  /// Plays the causes of an edited recording in place of the drivers' own.
  func play(_ take: EditedRecording, to sink: (any RecordingSink)?) throws -> ReplayReport
  /// Calls `reason` for each frame from outside (a recording, an edited recording, the monitor) before it becomes the
  /// current one. If it returns a reason, the frame is rejected with an error that contains this reason.
  ///
  ///     cycle.refuseFrames { frame in
  ///       frame.lamps.count == 4 ? nil : "there are 4 lamps, and the frame has \(frame.lamps.count)"
  ///     }
  ///
  /// Such a frame was read from JSON: its type is right, but its numbers may have any value, and its lists any length.
  /// Frames made by event filters are not checked. A further call replaces the check.
  ///
  /// - Parameter reason: returns why the frame can't be one of this application; nil if it can.
  func refuseFrames(_ reason: @escaping (Frame) -> String?)
  /// Calls `observer` after each driver call that exceeded its time limit (``DriverOverrun``). Replaces the previous
  /// observer.
  func onOverrun(_ observer: @escaping (DriverOverrun) -> Void)

  /// Starts the drivers of inputs. The first frame is made, and all other drivers start, when the inputs have read
  /// their hardware: immediately, or in one of the next steps, at most 100 ms later.
  func start(on loop: any EventLoop) throws(DriverError)
  /// Whether the first frame is not made yet: ``start(on:)`` was called, and inputs are being read.
  var isStarting: Bool { get }
  /// The moment of the first frame, from which the times of a recording count; nil before it. Drivers of outputs start
  /// after it, and a start may take time: the application's clock can be later when ``start(on:)`` returns.
  var firstFrameMoment: Moment? { get }
  /// The earliest moment of the first frame; nil for as soon as the inputs are read. Set it before the start. A
  /// simulation that reads the inputs first gives the first frame the moment 0.
  var earliestFirstFrame: Moment? { get set }
  /// How long the first frame waits for readings of inputs, from the end of their drivers' start. Set it before the
  /// start. The default, 100 ms, is more than the debounce times of most contacts and less than a person notices. Zero
  /// for an application that replaces a running one, whose outputs must not pause.
  var readingLimit: Duration { get set }
  /// Waits until a descriptor is ready, a thread has posted, a stop is requested, an alarm is due, or `deadline` has
  /// passed. Then runs one turn of the cycle.
  func step(until deadline: Moment?) throws(DriverError)
  /// Renders the safe models and stops reducing events. Further steps still wake the drivers, until ``isAtRest``.
  func beginStop()
  /// Whether all drivers are at rest: their hardware has reached the state of the last rendered model.
  var isAtRest: Bool { get }
  /// Calls ``beginStop()``, steps until all drivers are at rest, for at most `restingTime`, and stops every driver.
  func stop(within restingTime: Duration)
  /// Returns the name of the lens with this number; "lens 3" for an unknown number. Before the start, all numbers are
  /// unknown.
  func name(of lens: Int) -> String
  /// The counts of each driver's events, in the order of wiring; all 0 before the start.
  var accounts: [LaneEventCounts] { get }
  /// The current time of the loop's clock, after the application has started.
  var clock: Moment { get }
  /// Returns the current frame in the format of a recording, with other values in some places.
  ///
  /// - Parameter values: the values. Each has its path, such as `count` or `lamps[2].level`, and its JSON.
  /// - Throws: an error for a path that does not exist in the frame. The application must be recorded.
  func frameText(setting values: [(path: String, value: String)]) throws(RecordingTextFault) -> String
  /// Puts an event into a lens's lane, as if its driver had emitted it now. The next turn reduces it. Its kind in the
  /// recording is ``Recordings/ParsedRecordingLine/Kind/injection``.
  ///
  /// Call it between two turns, for a lens without waiting events.
  ///
  /// - Parameters:
  ///   - event: the event, in the format of a recording.
  ///   - lens: the number of the lens, in the order of wiring.
  /// - Throws: an error for a text that is not an event of this lens. The application must be recorded.
  func put(event: String, into lens: Int) throws(RecordingTextFault)
  /// Makes a frame the current one, and renders it. Call it between two turns.
  ///
  /// - Parameter frame: the frame, in the format of a recording.
  /// - Throws: an error for a text that is not a frame. The application must be recorded.
  func set(frame: String) throws(RecordingTextFault)
  /// Requests the end of the cycle, from any thread.
  func requestStop()
  var isStopRequested: Bool { get }
  /// The earliest alarm that a driver has set; nil if there is none.
  var nextAlarm: Moment? { get }
  /// Whether no driver needs a wake: no simulated device has requested one, and no thread has posted.
  var isIdle: Bool { get }
  /// Whether a step at `moment` has something to do: ``isIdle`` is false, or an alarm is due. False after a stop
  /// request.
  func isDue(at moment: Moment) -> Bool
}

extension Application {
  /// Renders the safe models, steps until all drivers are at rest, for at most 1 s, and stops every driver, in reverse
  /// order of wiring.
  public func stop() { stop(within: .seconds(1)) }
}

/// A request to stop the cycle, which any thread can raise.
final class StopRequest: Sendable {
  private let raised = Atomic<Bool>(false)
  private let bell = Locked<(any Doorbell)?>(nil)

  var doorbell: (any Doorbell)? {
    get { bell.withLock { $0 } }
    set { bell.withLock { $0 = newValue } }
  }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  func raise() {
    raised.store(true, ordering: .releasing)
    doorbell?.ring()
  }
}
