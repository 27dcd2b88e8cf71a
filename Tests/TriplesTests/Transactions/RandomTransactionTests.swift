import DataSourcesTesting
import Testing
import Triples
import TestSupport

@Suite("Random transactions")
struct RandomTransactionTests {
  /// Fixed seeds, so that a run can be repeated.
  static let seeds: [UInt64] = [11, 22, 33, 44]

  @Test("a store applies a transaction atomically and keeps every invariant", arguments: seeds)
  func storeRules(seed: UInt64) throws {
    var random = RandomSteps(random: SeededGenerator(seed: seed))
    var store = try Company.store()
    var refused = 0
    for round in 0..<100 {
      let comment: Comment = "seed \(seed), round \(round)"
      let transaction = random.transaction(of: store)
      let before = store
      let facts = store.facts
      do {
        let changes = try store.transact(transaction, at: Int64(1_000 + round))
        #expect(Set(changes.changes) == Self.difference(before, store), comment)
        #expect(store.transactionID == before.transactionID + 1, comment)
        #expect(Self.brokenRules(store) == [], comment)
      } catch {
        refused += 1
        #expect(store.isIdentical(to: before), comment)
      }
      #expect(before.facts == facts, comment)
      if round % 25 == 24 { #expect(store.checkInvariants() == [], comment) }
    }
    #expect(refused > 10 && refused < 95, "seed \(seed): \(refused) of 100 refused")
  }

  /// 301457 deletes an entity whose indexed values were removed before.
  @Test("every transaction can be undone", arguments: seeds + [301_457])
  func undo(seed: UInt64) throws {
    var random = RandomSteps(random: SeededGenerator(seed: seed))
    var store = try Company.store()
    var done: [(changes: ChangeSet, facts: [String])] = []
    for _ in 0..<60 {
      let facts = store.facts
      let transaction = random.transaction(of: store)
      guard let changes = try? store.transact(transaction) else { continue }
      done.append((changes, facts))
    }
    for (changes, facts) in done.reversed() {
      try store.transact(Transaction(undoing: changes, in: store))
      #expect(store.facts == facts, "seed \(seed)")
    }
  }

  @Test(
    "an optimistic client behaves like the simplest interpretation of the steps", arguments: seeds)
  func optimisticRules(seed: UInt64) throws {
    var random = RandomSteps(random: SeededGenerator(seed: seed))
    var store = try Company.store()
    var naive = NaiveFacts(store)
    for round in 0..<100 {
      let comment: Comment = "seed \(seed), round \(round)"
      let steps = random.transaction(of: store).steps.filter { !Self.breaksUniqueness($0) }
      let before = store
      let changes = try store.transact(Transaction(steps), at: 5_000, rules: .optimistic)
      naive.apply(steps)
      let (mine, wanted) = (store.facts, naive.facts)
      #expect(mine.difference(from: wanted).isEmpty, comment)
      #expect(Set(changes.changes) == Self.difference(before, store), comment)
      #expect(store.transactionID == before.transactionID, comment)
      if round % 25 == 24 { #expect(store.checkInvariants() == [], comment) }
      if mine != wanted { return }
    }
  }

  /// With two entities for a unique value, either may be found by a lookup.
  private static func breaksUniqueness(_ step: TransactionStep) -> Bool {
    guard case .addTriple(_, let attribute, _, _) = step else { return false }
    return attribute == Company.attributeID("people.email")
  }

  // MARK: What must hold

  /// The difference of two stores by complete comparison.
  private static func difference(
    _ before: TripleStore, _ after: TripleStore
  ) -> Set<ChangeSet.Change> {
    var changes: Set<ChangeSet.Change> = []
    for attribute in after.schema.attributes {
      let entities = before.rows(attribute.id, .stored).union(after.rows(attribute.id, .stored))
      for entity in entities.handles {
        let (old, new) = (before.values(entity, attribute.id), after.values(entity, attribute.id))
        if attribute.cardinality == .one {
          let isYounger =
            attribute.isIdentity
            && before.createdAt(entity, attribute.id) != after.createdAt(entity, attribute.id)
          guard old != new || isYounger else { continue }
          changes.insert(
            .init(
              entity: entity, attribute: attribute.id, old: old.first, new: new.first,
              createdAt: new.isEmpty ? before.createdAt(entity, attribute.id) : nil))
          continue
        }
        for value in old where !new.contains(value) {
          changes.insert(
            .init(
              entity: entity, attribute: attribute.id, old: value, new: nil,
              createdAt: Self.createdAt(value, entity, attribute.id, before)))
        }
        for value in new where !old.contains(value) {
          changes.insert(.init(entity: entity, attribute: attribute.id, old: nil, new: value))
        }
      }
    }
    return changes
  }

  private static func createdAt(
    _ value: Value, _ entity: EntityHandle, _ attribute: AttributeID, _ store: TripleStore
  ) -> Int64? {
    let times = store.createdTimes(entity, attribute)
    return store.values(entity, attribute).firstIndex(of: value).map { times[$0] }
  }

  private static func brokenRules(_ store: TripleStore) -> [String] {
    var broken: [String] = []
    for attribute in store.schema.attributes {
      var holders: [Value: Int] = [:]
      for entity in store.rows(attribute.id, .notNull).handles {
        for value in store.values(entity, attribute.id) {
          holders[value, default: 0] += 1
          if attribute.checkedType?.accepts(value) == false { broken.append("type: \(value)") }
        }
      }
      if attribute.isUnique {
        broken += holders.filter { $0.value > 1 }.map { "\(attribute.label) \($0.key) twice" }
      }
      guard attribute.isRequired else { continue }
      for entity in store.rows(of: attribute.namespace).handles
      where (store.value(entity, attribute.id) ?? .null) == .null {
        broken.append("\(store.id(of: entity)) lacks \(attribute.label)")
      }
    }
    return broken
  }
}
