import CycleCore
import HardwareSimulation

extension DriverBench {
  /// What the driver has told, as text with milliseconds: `21.5@750` is an event of that word at 750 ms, `lost@2000` a
  /// trouble.
  func told(_ word: (D.Event) -> String) -> [String] {
    entries.map { moment, entry in
      let word =
        switch entry {
        case .event(let event): word(event)
        case .trouble(.lost): "lost"
        case .trouble(.failed): "failed"
        case .trouble(.restored): "restored"
        case .trouble(.eventsLost): "eventsLost"
        }
      return "\(word)@\(moment.nanoseconds / 1_000_000)"
    }
  }
}
