// error: no exact matches in call to static method 'buildExpression'
import CycleCore
import HardwareDrivers

func bell(_ chip: any GPIOChip) -> any Application<Int> {
  Cycle(seed: 0) {
    print("starting")
    Lens(Button(chip, line: "GPIO17"), on: { frame, _ in frame += 1 })
  }
}
