import Explorer
import InstaQL
import LiveQueries
import Testing

@Suite struct `What keys that were typed at once want asked` {
  private static func watch(_ number: Int, from row: Int = 0) -> Effect {
    .watch(
      QueryDocument(QueryPlan("cities")), WatchToken(number: number),
      AnswerView.Stretch(skipped: row, count: 10))
  }

  private static func stop(_ number: Int) -> Effect { .stopWatching(WatchToken(number: number)) }

  @Test func `is only what the last of them wants`() {
    var questions = HeldQuestions()
    for number in 1...100 {
      let isHeld = questions.add([Self.stop(number - 1), Self.watch(number, from: number)])
      #expect(isHeld)
    }
    let asked = questions.take()
    #expect(asked == [Self.stop(0), Self.watch(100, from: 100)])
    let rest = questions.take()
    #expect(rest == [])
  }

  @Test func `is done at once, and in order, with anything else that they do`() {
    var questions = HeldQuestions()
    let isHeld = questions.add([Self.watch(-3), Self.watch(1)])
    #expect(isHeld)
    let isStillHeld = questions.add([Self.stop(-3), .copy("text"), Self.watch(-4)])
    #expect(!isStillHeld)
    let asked = questions.take()
    #expect(asked == [Self.watch(1), .copy("text"), Self.watch(-4)])
  }
}
