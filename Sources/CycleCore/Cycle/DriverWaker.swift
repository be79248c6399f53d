/// Wakes a driver from the cycle's own thread. Several calls before the next turn of the cycle wake the driver once.
public struct DriverWaker {
  let cycleContext: CycleContext
  let lens: Int

  public func wake() {
    cycleContext.simulatedWakes.add(lens)
  }
}
