import ArgumentParser
import HardwareDrivers
import Yams
print("panel")
