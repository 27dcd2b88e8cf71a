import DataSources
import Notebooks
import Testing

@Suite struct `Query history` {
  private func entry(_ text: String, at second: Int, in store: String = "world") -> HistoryEntry {
    HistoryEntry(store: store, text: text, when: .init(sinceEpoch: .seconds(second)))
  }

  @Test func `the newest entry comes first, in whatever order they were stored`() {
    let history = History([entry("a", at: 1), entry("c", at: 3), entry("b", at: 2)])

    #expect(history.entries.map(\.text) == ["c", "b", "a"])
  }

  @Test func `a repeated query moves to the front without a duplicate`() {
    let history = History([entry("a", at: 1), entry("b", at: 2)]).recording(entry("a", at: 3))

    #expect(history.entries == [entry("a", at: 3), entry("b", at: 2)])
  }

  @Test func `the same text in another store is another entry`() {
    let history = History([entry("a", at: 1)]).recording(entry("a", at: 2, in: "goals"))

    #expect(history.entries.map(\.store) == ["goals", "world"])
  }

  @Test func `the oldest entries beyond the limit are removed`() {
    var history = History(limit: 3)

    for second in 1...10 { history = history.recording(entry("\(second)", at: second)) }

    #expect(history.entries.map(\.text) == ["10", "9", "8"])
  }

  @Test(arguments: [0, -1])
  func `a history with limit zero stays empty`(limit: Int) {
    #expect(History(limit: limit).recording(entry("a", at: 1)).entries == [])
  }
}
