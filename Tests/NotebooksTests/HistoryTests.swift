import DataSources
import Notebooks
import Testing

@Suite struct `What was asked` {
  private func entry(_ text: String, at second: Int, in store: String = "world") -> HistoryEntry {
    HistoryEntry(store: store, text: text, when: .init(sinceEpoch: .seconds(second)))
  }

  @Test func `the newest comes first, in whatever order entries lay`() {
    let history = History([entry("a", at: 1), entry("c", at: 3), entry("b", at: 2)])

    #expect(history.entries.map(\.text) == ["c", "b", "a"])
  }

  @Test func `a query asked again moves to the front and is not doubled`() {
    let history = History([entry("a", at: 1), entry("b", at: 2)]).recording(entry("a", at: 3))

    #expect(history.entries == [entry("a", at: 3), entry("b", at: 2)])
  }

  @Test func `the same text asked of another store is another query`() {
    let history = History([entry("a", at: 1)]).recording(entry("a", at: 2, in: "goals"))

    #expect(history.entries.map(\.store) == ["goals", "world"])
  }

  @Test func `beyond the limit the oldest are forgotten`() {
    var history = History(limit: 3)

    for second in 1...10 { history = history.recording(entry("\(second)", at: second)) }

    #expect(history.entries.map(\.text) == ["10", "9", "8"])
  }

  @Test(arguments: [0, -1])
  func `a history of nothing stays empty`(limit: Int) {
    #expect(History(limit: limit).recording(entry("a", at: 1)).entries == [])
  }
}
