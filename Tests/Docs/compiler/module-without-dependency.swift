// error: no such module 'HardwarePlatform'
import CycleCore
import HardwarePlatform

func run(_ application: any Application<Int>) {}
