import CycleCore
import PanelEngine
import PanelLanguage

/// Writes conditions and numbers for the page, which computes them in a frame.
///
/// Each is a list of an operator and its parts: `["<",["column",12],5]`. A condition that the page can't compute is
/// null.
struct ConditionDescription {
  let layout: FrameLayout

  func write(_ condition: Condition, to writer: inout JSONWriter) {
    switch condition {
    case .comparison(let left, let relation, let right):
      list(relation.rawValue, &writer) {
        write(left, to: &$0)
        write(right, to: &$0)
      }
    case .state(let target): list("is", &writer, FrameLayout.place(.state, of: target.region), target.state)
    case .position(let input, let position): list("at", &writer, Int(layout.position) + input, position)
    case .isUnknown(let input): list("is", &writer, Int(layout.position) + input, PanelFrame.unknownPosition)
    case .isLost(let hardware): list("some", &writer, layout.place(of: hardware))
    case .contact(let output, let isClosed):
      let contact = isClosed ? PanelFrame.closedContact : PanelFrame.openContact
      list("at", &writer, layout.contacts.lowerBound + output, contact)
    case .not(let condition): list("not", &writer) { write(condition, to: &$0) }
    case .all(let conditions): list("and", &writer) { for condition in conditions { write(condition, to: &$0) } }
    case .any(let conditions): list("or", &writer) { for condition in conditions { write(condition, to: &$0) } }
    case .elements, .sameElements, .output: writer.writeNull()
    }
  }

  private func write(_ number: Number, to writer: inout JSONWriter) {
    switch number {
    case .constant(let number): writer.write(number)
    case .value(let value): list("column", &writer, Int(layout.value) + value)
    case .reading(let input): list("column", &writer, Int(layout.reading) + input)
    case .member(let group): list("column", &writer, Int(layout.member) + group)
    case .isCurrent(let target): list("is", &writer, FrameLayout.place(.state, of: target.region), target.state)
    case .elapsed, .rounded: writer.writeNull()
    case .element(let list, at: let place):
      self.list("element", &writer) {
        $0.write(Int(layout.element) + list.first)
        $0.write(Int(layout.value) + list.value)
        write(place, to: &$0)
      }
    case .negative(let part): list("-", &writer, [.constant(0), part])
    case .magnitude(let part): list("abs", &writer, [part])
    case .sum(let a, let b): list("+", &writer, [a, b])
    case .difference(let a, let b): list("-", &writer, [a, b])
    case .product(let a, let b): list("*", &writer, [a, b])
    case .quotient(let a, let b): list("/", &writer, [a, b])
    case .remainder(let a, let b): list("mod", &writer, [a, b])
    case .minimum(let a, let b): list("min", &writer, [a, b])
    case .maximum(let a, let b): list("max", &writer, [a, b])
    }
  }

  private func list(_ word: String, _ writer: inout JSONWriter, _ numbers: Int...) {
    list(word, &writer) { for number in numbers { $0.write(number) } }
  }

  private func list(_ word: String, _ writer: inout JSONWriter, _ parts: [Number]) {
    list(word, &writer) { for part in parts { write(part, to: &$0) } }
  }

  private func list(_ word: String, _ writer: inout JSONWriter, parts: (inout JSONWriter) -> Void) {
    writer.beginArray()
    writer.write(word)
    parts(&writer)
    writer.endArray()
  }
}
