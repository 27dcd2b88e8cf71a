import DataSourcesTesting
import Testing
import Triples
import TestSupport

@Suite("A change record of a transaction")
struct ChangeRecordTests {
  @Test("applying it to another copy gives the same store", arguments: [1, 2, 3, 4])
  func repeating(seed: UInt64) throws {
    var random = RandomSteps(random: SeededGenerator(seed: seed))
    var store = try Company.store()
    var copy = store
    for round in 0..<80 {
      let before = store
      let time = Int64(1_000 + round)
      guard let changes = try? store.transact(random.transaction(of: store), at: time) else {
        continue
      }
      let record = try Self.throughJSON(ChangeRecord(changes, from: before, to: store, at: time))
      let repeated = copy.apply(record)
      #expect(repeated.changes.count == changes.changes.count, "seed \(seed), round \(round)")
      #expect(copy.facts == store.facts, "seed \(seed), round \(round)")
      #expect(copy.moments == store.moments, "seed \(seed), round \(round)")
    }
    #expect(copy.transactionID == store.transactionID)
    #expect(copy.checkInvariants() == [])
  }

  @Test("an undo is repeated with the restored times")
  func undoing() throws {
    var store = try Company.store()
    var copy = store
    var random = RandomSteps(random: SeededGenerator(seed: 9))
    for round in 0..<40 {
      let before = store
      guard let changes = try? store.transact(random.transaction(of: store), at: Int64(round))
      else { continue }
      _ = copy.apply(ChangeRecord(changes, from: before, to: store, at: Int64(round)))
      let middle = store
      let undone = try store.transact(Transaction(undoing: changes, in: store), at: 9_999)
      _ = copy.apply(
        try Self.throughJSON(ChangeRecord(undone, from: middle, to: store, at: 9_999)))
      #expect(copy.moments == store.moments, "round \(round)")
    }
  }

  @Test("added, changed and removed attributes are contained")
  func attributes() throws {
    var store = try Company.store()
    var copy = store
    let born = Company.attributeID("people.born")
    let steps: [TransactionStep] = [
      .addAttribute(Attribute(id: AttributeID("new"), namespace: "people", label: "new")),
      .updateAttribute(born, JSONObject([.init(key: "checked-data-type", value: "string")])),
      .deleteAttribute(born), .restoreAttribute(born),
    ]
    for step in steps {
      let before = store
      let changes = try store.transact(Transaction([step]))
      let record = try Self.throughJSON(ChangeRecord(changes, from: before, to: store, at: 1))
      #expect(record.attributes.count == 1)
      _ = copy.apply(record)
      #expect(Set(copy.schema.attributes) == Set(store.schema.attributes))
      #expect(copy.facts == store.facts)
    }
  }

  @Test(
    "an invalid record is rejected",
    arguments: [("[", "[]"), ("[]", "{}"), ("[1]", "[]"), ("[]", "[[1,2,3,4]]")])
  func damage(_ attributes: String, _ changes: String) {
    #expect(throws: SegmentFault.self) {
      try ChangeRecord(
        transactionID: 1, time: 1, attributes: Array(attributes.utf8), changes: Array(changes.utf8))
    }
  }

  private static func throughJSON(_ record: ChangeRecord) throws -> ChangeRecord {
    try ChangeRecord(
      transactionID: record.transactionID, time: record.time, attributes: record.attributesJSON,
      changes: record.changesJSON)
  }
}
