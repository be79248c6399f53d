// error: member 'input' expects argument of type 'Bias'
import HardwareDrivers

let button = LineConfiguration("GPIO17", .input)
