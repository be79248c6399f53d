// error: generic struct 'Lens' requires that 'Button' conform to 'Driver'
import CycleCore
import HardwareDrivers

struct State: Equatable {
  var count = 0
}

func bell(_ chip: any GPIOChip) -> any Application<State> {
  Cycle(seed: State()) {
    Lens(Button(chip, line: "GPIO17"), on: { frame, event in if event == .pushed { frame.count += 1 } })
  }
}
