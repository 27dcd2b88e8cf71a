import Testing
import Triples

@Suite("The changes of a store's last transactions")
struct ChangeHistoryTests {
  private func change(_ row: Int) -> ChangeSet {
    ChangeSet(changes: [
      .init(
        entity: EntityHandle(row: UInt32(row)), attribute: AttributeID("a"), old: nil,
        new: .integer(Int64(row)))
    ])
  }

  @Test("a reader who skipped snapshots gets all changes since, in order")
  func skipped() {
    var history = ChangeHistory()
    for number in 1...5 { history.append(change(number), from: number, to: number + 1) }

    let rows = history.changes(since: 3)?.changes.map(\.entity.row)

    #expect(rows == [3, 4, 5])
    #expect(history.changes(since: 6)?.isEmpty == true)
    #expect(history.newest == change(5))
  }

  @Test("changes before the history or after a gap are unknown")
  func unknown() {
    var history = ChangeHistory()
    history.append(change(1), from: 1, to: 2)
    #expect(history.changes(since: 0) == nil)

    history.append(change(9), from: 8, to: 9)

    #expect(history.changes(since: 1) == nil)
    #expect(history.changes(since: 8) == change(9))
  }

  @Test("all changes since any known state are available, however many there are")
  func many() {
    var history = ChangeHistory()
    var snapshots: [ChangeHistory] = []
    for number in 1...300 {
      history.append(change(number), from: number, to: number + 1)
      snapshots.append(history)
    }
    for state in 1...300 {
      #expect(
        history.changes(since: state)?.changes.map(\.entity.row) == (state...300).map(UInt32.init))
    }
    // An earlier copy of the history is unchanged.
    for (place, snapshot) in snapshots.enumerated() {
      #expect(snapshot.newest == change(place + 1))
      #expect(snapshot.changes(since: 1)?.changes.count == place + 1)
    }
  }

  @Test("of very many changes the oldest are dropped, never the newest")
  func bounded() {
    var history = ChangeHistory()
    for number in 1...50_000 { history.append(change(number), from: number, to: number + 1) }

    #expect(history.changes(since: 1) == nil)
    #expect(history.changes(since: 50_000) == change(50_000))
  }
}
