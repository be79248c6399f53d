// An application that imports CycleCore has moments, errors and recordings, too.
@_exported import CycleBase
@_exported import Recordings
