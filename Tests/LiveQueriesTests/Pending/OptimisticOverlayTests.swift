import LiveQueries
import Testing
import Triples

@Suite("Optimistic overlay")
struct OptimisticOverlayTests {
  private static let seeds: [UInt64] = [1, 2, 3, 4]

  @Test(
    "in any order of events, the answer is displayed with the missing mutations", arguments: seeds)
  func interleavings(seed: UInt64) throws {
    var game = ClientAndServer(seed: seed)
    var known: [(id: Int, lines: Set<String>)] = []
    for round in 0..<120 {
      game.play()
      let comment: Comment = "seed \(seed), round \(round)"
      #expect(game.overlay.shown.lines == game.expected, comment)
      #expect(game.overlay.raw.lines == game.deliveredLines, comment)
      let facts = game.facts
      let state = game.overlay.shown.transactionID
      for (id, lines) in known.suffix(4) where id != state {
        let changes = try #require(game.overlay.history.changes(since: id), comment)
        #expect(changes.applied(to: lines, in: game.overlay.shown) == facts, comment)
      }
      if known.last?.id != state {
        #expect(known.last.map { $0.id < state } ?? true, comment)
        known.append((state, facts))
      } else {
        #expect(known.last?.lines == facts, comment)
      }
      if round % 60 == 59 { #expect(game.overlay.shown.checkInvariants() == [], comment) }
    }
    #expect(
      game.confirmed > 3 && game.refused > 0, "\(game.confirmed), \(game.refused)")
    game.settle()
    #expect(game.pending.isEmpty)
    #expect(game.overlay.shown.lines == game.server.lines)
  }

  @Test("nothing is recomputed without changes")
  func unchanged() {
    var overlay = OptimisticOverlay()
    var pending = PendingMutations()
    pending.add(Orchard.tree(Orchard.id(1), "Oak"), id: MutationID("m"), at: 5)
    let outcome9 = overlay.update(schema: Orchard.schema, pending: pending.mutations)
    #expect(outcome9)
    let outcome10 = overlay.update(schema: Orchard.schema, pending: pending.mutations)
    #expect(!outcome10)
    _ = pending.confirm(MutationID("m"), as: 9, at: 7)
    let outcome11 = overlay.update(pending: pending.mutations)
    #expect(!outcome11)
  }

  @Test("a confirmed mutation is displayed until an answer includes it, and never twice")
  func confirmedStays() throws {
    var overlay = OptimisticOverlay()
    var pending = PendingMutations()
    let oak = Orchard.id(1)
    pending.add(Orchard.tree(oak, "Oak"), id: MutationID("m"), at: 5)
    _ = overlay.update(schema: Orchard.schema, pending: pending.mutations)
    _ = pending.confirm(MutationID("m"), as: 9, at: 7)
    _ = overlay.update(
      answer: ServedRows(processed: 8), pending: pending.missing(from: AnswerMoment(processed: 8)))
    #expect(overlay.shown.count(of: "trees") == 1)
    let rows = [
      ServedRows.Row(oak, Orchard.attribute("trees.id"), .text(oak.text), createdAt: 3),
      ServedRows.Row(oak, Orchard.attribute("trees.name"), "Oak", createdAt: 3),
    ]
    _ = overlay.update(
      answer: ServedRows(rows, processed: 9),
      pending: pending.missing(from: AnswerMoment(processed: 9)))
    #expect(overlay.shown.lines.count == 2)
    let handle = try #require(overlay.shown.handle(of: oak))
    #expect(overlay.shown.createdAt(handle, in: "trees") == 3)
    #expect(overlay.shown.transactionID >= 9)
  }

  @Test("removed entities do not fill the memory")
  func overgrown() {
    var overlay = OptimisticOverlay()
    _ = overlay.update(schema: Orchard.schema, pending: [])
    var last = 0
    for page in 0..<15 {
      let rows = (0..<2_000).map {
        let id = Orchard.id(page * 2_000 + $0)
        return ServedRows.Row(
          id, Orchard.attribute("trees.id"), .text(id.text), createdAt: 1)
      }
      _ = overlay.update(answer: ServedRows(rows, processed: page), pending: [])
      #expect(overlay.shown.transactionID > last || page == 0)
      last = overlay.shown.transactionID
    }
    #expect(overlay.shown.knownEntities <= 24_000)
    #expect(overlay.shown.count(of: "trees") == 2_000)
  }

  @Test("a mutation's attributes are replaced by the server's")
  func adopted() throws {
    var pending = PendingMutations()
    let own = Attribute(
      id: AttributeID("own"), namespace: "trees", label: "planter",
      reverse: .init(namespace: "people", label: "plants"), valueType: .ref, cardinality: .many)
    let theirs = Attribute(
      id: AttributeID("theirs"), namespace: "people", label: "plants",
      reverse: .init(namespace: "trees", label: "planter"), valueType: .ref, cardinality: .many)
    let (oak, ana) = (Orchard.id(1), Orchard.id(2))
    pending.add(
      Transaction([.addAttribute(own), .addTriple(.id(oak), own.id, .text(ana.text))]),
      id: MutationID("m"), at: 1)
    var schema = Orchard.schema
    let outcome12 = pending.adopt(schema)
    #expect(!outcome12)
    schema.set(theirs)
    let outcome13 = pending.adopt(schema)
    #expect(outcome13)
    #expect(
      pending.mutations[0].transaction.steps == [.addTriple(.id(ana), theirs.id, .text(oak.text))])
    var overlay = OptimisticOverlay()
    _ = overlay.update(schema: schema, pending: pending.mutations)
    let handle = try #require(overlay.shown.handle(of: ana))
    #expect(overlay.shown.values(handle, theirs.id) == [.text(oak.text)])
  }
}

extension ChangeSet {
  /// A set of facts with these changes applied.
  fileprivate func applied(to lines: Set<String>, in store: TripleStore) -> Set<String> {
    changes.reduce(into: lines) { lines, change in
      let name = "\(store.id(of: change.entity)) \(change.attribute) "
      if let old = change.old { lines.remove(name + JSONWriter.text(old)) }
      if let new = change.new { lines.insert(name + JSONWriter.text(new)) }
    }
  }
}

/// A client and a server with delayed but ordered messages.
private struct ClientAndServer {
  var server = TripleStore()
  var pending = PendingMutations()
  var overlay = OptimisticOverlay()
  var confirmed = 0
  var refused = 0
  private var random: RandomOrchard
  /// The server's changes that the client has not received.
  private var verdicts: [(id: MutationID, transactionID: Int?)] = []
  private var answers: [ServedRows] = []
  private var delivered = ServedRows()
  private var sent: Set<MutationID> = []
  private var made = 0
  private var now: Int64 = 1_000

  init(seed: UInt64) {
    random = RandomOrchard(seed: seed)
    for attribute in Orchard.schema.attributes { server.addAttribute(attribute) }
    _ = overlay.update(schema: Orchard.schema, pending: [])
  }

  /// The displayed state by the simplest interpretation.
  var expected: [String] {
    var store = plain
    for mutation in pending.mutations
    where mutation.transactionID.map({ $0 > delivered.processed ?? 0 }) ?? true {
      _ = try? store.transact(mutation.transaction, at: mutation.created, rules: .optimistic)
    }
    return store.lines
  }

  var deliveredLines: [String] { plain.lines }

  /// The displayed state without ages.
  var facts: Set<String> {
    Set(
      overlay.shown.served(of: overlay.shown.schema).map {
        "\($0.entity) \($0.attribute) \(JSONWriter.text($0.value))"
      })
  }

  private var plain: TripleStore {
    var store = TripleStore()
    for attribute in Orchard.schema.attributes { store.addAttribute(attribute) }
    for row in delivered.rows {
      guard let attribute = store.schema.attribute(row.attribute) else { continue }
      let entity = store.makeEntity(row.entity, in: attribute.namespace)
      store.insert(row.value, of: entity, row.attribute, at: row.createdAt)
    }
    return store
  }

  mutating func play() {
    now += 3
    switch random.below(10) {
    case 0, 1, 2:
      made += 1
      pending.add(random.transaction(), id: MutationID("m\(made)"), at: now)
    case 3, 4: send()
    case 5: while !verdicts.isEmpty, random.below(5) != 0 { hearVerdict() }
    case 6: try? _ = server.transact(random.transaction(), at: now)
    case 7: answers.append(answer)
    case 8: if random.below(6) == 0 { disconnect() }
    default: hearAnswer()
    }
    show()
  }

  /// Delivers all messages.
  mutating func settle() {
    while let next = unsent { send(next) }
    while !verdicts.isEmpty { hearVerdict() }
    answers = [answer]
    hearAnswer()
    show()
  }

  private var answer: ServedRows {
    ServedRows(server.served(of: Orchard.schema), processed: server.transactionID)
  }

  private mutating func show() {
    pending.drop(shownBy: [AnswerMoment(processed: delivered.processed ?? 0)], at: now)
    _ = overlay.update(
      answer: delivered,
      pending: pending.missing(from: AnswerMoment(processed: delivered.processed)))
  }

  private mutating func send() {
    if let next = unsent { send(next) }
  }

  private var unsent: PendingMutation? { pending.waiting.first { !sent.contains($0.id) } }

  private mutating func send(_ next: PendingMutation) {
    sent.insert(next.id)
    do {
      try server.transact(next.transaction, at: now)
      verdicts.append((next.id, server.transactionID))
    } catch {
      verdicts.append((next.id, nil))
    }
  }

  private mutating func hearVerdict() {
    guard !verdicts.isEmpty else { return }
    let verdict = verdicts.removeFirst()
    if let id = verdict.transactionID {
      if pending.confirm(verdict.id, as: id, at: now) { confirmed += 1 }
    } else if pending.reject(verdict.id) != nil {
      refused += 1
    }
  }

  private mutating func hearAnswer() {
    if !answers.isEmpty { delivered = answers.removeFirst() }
  }

  private mutating func disconnect() {
    verdicts = []
    answers = []
    sent = []
  }
}
