// error: generic struct 'Lens' requires that 'Bad' conform to 'Equatable'
import CycleCore
import HardwareDrivers

struct Bad {
  var count = 0
}

func bell(_ chip: any GPIOChip) {
  _ = Cycle(seed: Bad()) {
    Lens(Button(chip, line: "GPIO17"), on: { frame, _ in frame.count += 1 })
  }
}
