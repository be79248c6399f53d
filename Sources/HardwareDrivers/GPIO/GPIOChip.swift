import CycleCore
