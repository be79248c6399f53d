/// A simulated device whose state a person sees, such as a gate or a display. A kind of output reads the look of its
/// outputs from it.
public protocol SimulatedOutput: AnyObject {}
