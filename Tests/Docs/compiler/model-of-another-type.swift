// error: generic struct 'Lens' requires that 'LED' conform to 'Driver'
import CycleCore
import HardwareDrivers

struct State: Equatable {
  var count = 0
}

func bell(_ chip: any GPIOChip) -> any Application<State> {
  Cycle(seed: State()) {
    Lens(LED(chip, line: "GPIO23"), show: { $0.count > 0 })
  }
}
