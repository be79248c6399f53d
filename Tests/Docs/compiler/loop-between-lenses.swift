// error: closure containing control flow statement cannot be used with result builder 'LensBuilder'
import CycleCore
import HardwareDrivers

func bell(_ chip: any GPIOChip) -> any Application<Int> {
  Cycle(seed: 0) {
    for line in ["GPIO17", "GPIO27"] {
      Lens(Button(chip, line: LineName(line)), on: { frame, _ in frame += 1 })
    }
  }
}
