import CycleCore
import PanelLanguage
import Terminal

extension PanelTrouble {
  package var text: String {
    switch self {
    case .underrun: "audio underrun"
    case .stalled(let sound): "\(sound) has a gap: its file is read more slowly than it plays"
    case .clipping(let count):
      "the sounds were too loud together, and \(counted(count, "sample frame")) were limited; lower their volume"
    case .drawOutside(let number, let range):
      "the next draw was to be \(number), which is not in \(range.lowerBound)..\(range.upperBound)"
    case .askedTogether(let relays, let kept):
      "\(listed(relays)) of an interlock are to be on together; only \(kept) is"
    case .ghosted(let keypad, let keys) where keys.isEmpty: "the keys of \(keypad) can be distinguished again"
    case .ghosted(let keypad, let keys):
      "three or more of the keys \(listed(keys.map(String.init))) of \(keypad) are down; without diodes no one can see which"
    case .trouble(let trouble, let source) where source.hardware == nil: Self.text(of: trouble, source.lens)
    case .trouble(let trouble, let source) where source.hardware == .audio: Self.text(of: trouble, "audio")
    case .trouble(let trouble, let source) where source.hardware == .network: Self.text(of: trouble, "network")
    case .trouble(let trouble, let source): Self.text(of: trouble, "gpio (\(source.lens))")
    }
  }

  private static func text(of trouble: Trouble, _ who: String) -> String {
    switch trouble {
    case .lost(let error): "\(who) lost: \(error)"
    case .restored: "\(who) restored"
    case .failed(let error): "\(who) failed: \(error)"
    case .eventsLost(let count): "\(who) lost \(counted(count, "event"))"
    }
  }
}
