import CycleCore
import HardwareDrivers

/// A driver that runs beside the one that a test is about, with one model all the time: the driver of a port expander,
/// or another device on its lines.
///
///     let trial = DriverBench(
///       LED(expander, line: "GPB7"), showing: .on, beside: [CompanionDriver(expander)], on: bench)
public final class CompanionDriver {
  /// The troubles that the driver has reported so far.
  public private(set) var troubles: [Trouble] = []
  private let maker: any LensMaker

  public init<D: Driver>(_ driver: D, showing model: D.Model) {
    maker = DriverLens(driver: driver, model: model)
  }

  /// Runs an input.
  public convenience init<D: Driver>(_ driver: D) where D.Model == NoModel {
    self.init(driver, showing: NoModel())
  }

  /// Runs a device on lines.
  public convenience init<Device: LineDevice>(_ device: Device, showing model: Device.Model) {
    self.init(LineDriver(device), showing: model)
  }

  func makeLenses<Frame: Equatable>() -> AnyLensGroup<Frame> { maker.makeLenses { self.troubles.append($0) } }
}

private protocol LensMaker {
  func makeLenses<Frame: Equatable>(_ note: @escaping (Trouble) -> Void) -> AnyLensGroup<Frame>
}

private struct DriverLens<D: Driver>: LensMaker {
  let driver: D
  let model: D.Model

  func makeLenses<Frame: Equatable>(_ note: @escaping (Trouble) -> Void) -> AnyLensGroup<Frame> {
    let model = model
    return AnyLensGroup(
      Lens<Frame, D>(driver, show: { _ in model }, on: { (_: inout Frame, _: D.Event) in }, trouble: { note($1) }))
  }
}
