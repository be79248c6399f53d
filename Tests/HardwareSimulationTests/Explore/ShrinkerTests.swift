import HardwareSimulation
import Testing

@Suite("The shrinker")
struct ShrinkerTests {
  struct List: Equatable { var numbers: [Int] }

  @Test("of a thousand elements the three that matter are left, in few tries")
  func threeOfThousand() {
    var tried = 0
    var shrinker = Shrinker(List(numbers: Array(0..<1000))) { list in
      tried += 1
      return [17, 500, 501].allSatisfy(list.numbers.contains)
    }
    shrinker.shorten(\.numbers)
    #expect(shrinker.smallest.numbers == [17, 500, 501])
    #expect(tried < 200)
    #expect(tried == 2000 - shrinker.triesLeft)
  }

  @Test("what is left can't be left out one by one, for every subset of ten elements that matters")
  func minimal() {
    for mask in 0..<1024 {
      let needed = (0..<10).filter { mask & 1 << $0 != 0 }
      var shrinker = Shrinker(List(numbers: Array(0..<10))) { list in needed.allSatisfy(list.numbers.contains) }
      shrinker.shorten(\.numbers)
      #expect(shrinker.smallest.numbers == needed)
    }
  }

  @Test("it tries no more than it may, and passes over what throws")
  func bounds() {
    struct Broken: Error {}
    var tried = 0
    var shrinker = Shrinker(List(numbers: Array(0..<100)), tries: 7) { _ in
      tried += 1
      throw Broken()
    }
    shrinker.shorten(\.numbers)
    shrinker.replace { list in [List(numbers: Array(list.numbers.dropLast()))] }
    #expect(tried == 7)
    #expect(shrinker.smallest.numbers.count == 100)
  }

  @Test("after an interruption no candidate is tried, and the smallest subject so far is kept")
  func interrupted() {
    var tried = 0
    let mayContinue = { tried < 3 }
    var shrinker = Shrinker(List(numbers: Array(0..<100)), goesOn: mayContinue) { list in
      tried += 1
      return list.numbers.contains(7)
    }
    shrinker.shorten(\.numbers)
    shrinker.replace { list in [List(numbers: Array(list.numbers.dropLast()))] }
    #expect(tried == 3)
    #expect(shrinker.isInterrupted && shrinker.triesLeft == 0)
    #expect(shrinker.smallest.numbers == Array(0..<25))
  }

  @Test("candidates are repaired before they are tried")
  func repaired() {
    // Numbers come in pairs of n and -n.
    var shrinker = Shrinker(List(numbers: [1, -1, 2, -2, 3, -3])) { list in
      #expect(list.numbers.allSatisfy { list.numbers.contains(-$0) })
      return list.numbers.contains(2)
    }
    shrinker.shorten(\.numbers) { list in List(numbers: list.numbers.filter { list.numbers.contains(-$0) }) }
    #expect(shrinker.smallest.numbers == [2, -2])
  }
}
