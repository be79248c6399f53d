import CycleCore

/// A simulated object that schedules its own actions: ``Bench/plan(at:_:_:)``. The number identifies the action that is
/// due.
protocol SelfScheduling: AnyObject {
  func perform(_ number: Int, at moment: Moment)
}
