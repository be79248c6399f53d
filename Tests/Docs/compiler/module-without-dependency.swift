// error: no such module 'HardwareLinux'
import CycleCore
import HardwareLinux

func run(_ application: any Application<Int>) {}
