// error: generic struct 'Lens' requires that 'LED' conform to 'Driver'
import CycleCore
import HardwareDrivers

func bell(_ chip: any GPIOChip) -> any Application<Int> {
  Cycle(seed: 0) {
    Lens(LED(chip, line: "GPIO23"), on: { _, _ in })
  }
}
