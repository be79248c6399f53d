import CycleCore

/// The operations of ``LineDriver`` and ``LineDriverArray`` on their devices, specialized for the device type.
public struct LineDriverWitness<Model> {
  let start: (_ models: [Model]) throws(DriverError) -> Void
  let render: (_ models: [Model], _ previous: [Model]?) throws(DriverError) -> Void
  let renderFirst: (Model) throws(DriverError) -> Void
  let wake: (Wake) throws(DriverError) -> Void
  let isAtRest: () -> Bool
  let stop: () -> Void

  init<Device: LineDevice, Event>(_ group: LineDeviceRunner<Device, Event>) where Device.Model == Model {
    start = { (models) throws(DriverError) in
      defer { group.setAlarm() }
      try group.start(showing: models)
    }
    render = { (models, previous) throws(DriverError) in
      // A single model is rendered only if it has changed.
      for index in models.indices where models.count == 1 || previous == nil || previous![index] != models[index] {
        group.render(models[index], at: index)
      }
      defer { group.setAlarm() }
      try group.write()
    }
    renderFirst = { (model) throws(DriverError) in
      group.render(model, at: 0)
      defer { group.setAlarm() }
      try group.write()
    }
    wake = { (wake) throws(DriverError) in
      defer { group.setAlarm() }
      try group.wake(wake)
    }
    isAtRest = { group.isAtRest }
    stop = { group.stop() }
  }
}
