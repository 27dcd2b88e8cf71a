import InstaQL
import Sync
import Testing
import Triples

private let plants: Value = ["plants": [:]]
private let tall: Value = [
  "plants": ["$": ["where": ["height": ["$gt": 25]], "order": ["height": "asc"]]]
]

@Suite("A server over every transport", .timeLimit(.minutes(10)))
struct ServerContractTests {
  @Test("sends the app's attributes", arguments: Wire.allCases)
  func opening(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.connect()
      let info = try await peer.open()
      #expect(info.appID == "garden")
      #expect(info.status == .active)
      #expect(info.attributes == PlantData.attributes)
      #expect(EntityID(info.sessionID).isUUID)
    }
  }

  @Test("answers a query, and again after another client's change", arguments: Wire.allCases)
  func refresh(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let reader = try await served.open()
      let writer = try await served.open()
      let first = try await reader.ask(tall)
      #expect(first.values("plants", "name") == [#""Aster""#, #""Borage""#])

      let transaction = try await writer.change(PlantData.grow(3, to: 40))

      let second = try await reader.hearAnswer()
      #expect(second.values("plants", "name") == [#""Aster""#, #""Chive""#, #""Borage""#])
      #expect(second.query == tall)
      // A relay numbers the transactions of its own view, and creates some itself.
      #expect(
        wire.isRelay ? second.processed >= transaction : second.processed == transaction)
      #expect(first.processed < second.processed)
    }
  }

  @Test(
    "sends a changed link to subscribers of trees, at any depth",
    // A relay knows of links only what was asked of the server behind it.
    arguments: Wire.allCases.filter { !$0.isRelay })
  func bareLinks(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let reader = try await served.open()
      let first = try await reader.ask(["plants": ["$": ["where": ["name": "Aster"]]]])
      #expect(first.values("plants", "bed") == [JSONWriter.text(.text(PlantData.id(50).text))])
      let nested = try await reader.ask(["beds": ["plants": [:]]])
      #expect(nested.values("beds", "plants")[0].contains(PlantData.id(50).text))

      let writer = try await served.open()
      let south = PlantData.id(51).text
      try await writer.change(
        Transaction([.addTriple(.id(PlantData.id(1)), PlantData.bed, .text(south), .update)]))
      let told = [try await reader.hearAnswer(), try await reader.hearAnswer()]
      let moved = try #require(told.first { !$0.values("plants", "bed").isEmpty })
      #expect(moved.values("plants", "bed") == [JSONWriter.text(.text(south))])
    }
  }

  @Test("sends the triples of the answer", arguments: Wire.allCases)
  func joinRows(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      let told = try await peer.ask(
        ["plants": ["$": ["where": ["id": .text(PlantData.id(1).text)]], "bed": [:]]], .joinRows)
      let rows = try #require(told.rows)
      #expect(
        Set(rows.rows) == [
          JoinRows.Row(
            PlantData.id(1), PlantData.plantID, .text(PlantData.id(1).text), createdAt: 2),
          JoinRows.Row(PlantData.id(1), PlantData.name, "Aster", createdAt: 2),
          JoinRows.Row(PlantData.id(1), PlantData.height, 30, createdAt: 2),
          JoinRows.Row(PlantData.id(1), PlantData.bed, .text(PlantData.id(50).text), createdAt: 2),
          JoinRows.Row(
            PlantData.id(50), PlantData.bedID, .text(PlantData.id(50).text), createdAt: 2),
          JoinRows.Row(PlantData.id(50), PlantData.bedName, "North", createdAt: 2),
        ])
    }
  }

  @Test("includes relations, in order", arguments: Wire.allCases)
  func relations(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      let told = try await peer.ask(["beds": ["plants": ["$": ["order": ["height": "desc"]]]]])
      let lists = told.values("beds", "plants")
      #expect(lists.count == 2)
      let borage = try #require(lists[0].firstRange(of: "Borage"))
      let aster = try #require(lists[0].firstRange(of: "Aster"))
      #expect(borage.lowerBound < aster.lowerBound)
      #expect(lists[1].contains("Chive"))
    }
  }

  @Test("sends nothing if an answer did not change", arguments: Wire.allCases)
  func unchanged(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let reader = try await served.open()
      let writer = try await served.open()
      _ = try await reader.ask(tall)
      let small = try await writer.change(PlantData.grow(3, to: 21))
      let big = try await writer.change(PlantData.grow(1, to: 31))
      let next = try await reader.hearAnswer()
      #expect(small < big)
      #expect(next.processed == big)
    }
  }

  @Test("sends counts and page boundaries", arguments: Wire.allCases)
  func pages(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      let counted = try await peer.ask(["plants": ["$": ["aggregate": "count"]]], .joinRows)
      #expect(counted.rows == JoinRows(counts: ["plants": 3]))
      let page = try await peer.ask(
        ["plants": ["$": ["order": ["name": "asc"], "limit": 2]]], .joinRows)
      let info = try #require(page.rows?.pages["plants"])
      #expect(info.end?.value == "Borage" && info.hasNext && !info.hasPrevious)
    }
  }

  @Test("finds entities by the beginning of an id", arguments: Wire.allCases)
  func beginningOfID(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      let chive = String(PlantData.id(3).text.uppercased())
      let first = try await peer.ask(
        ["plants": ["$": ["where": ["$entityIdStartsWith": .text(chive)], "limit": 1]]])
      #expect(first.values("plants", "name") == [#""Chive""#])
      let south = PlantData.id(51).text
      let linked = try await peer.ask(
        ["plants": ["$": ["where": ["bed.$entityIdStartsWith": .text(south)]]]])
      #expect(linked.values("plants", "name") == [#""Chive""#])
      let rows = try await peer.ask(
        ["plants": ["$": ["where": ["$entityIdStartsWith": .text(chive)]]]], .joinRows)
      let told = Set(try #require(rows.rows).rows.map(\.entity))
      #expect(told == [PlantData.id(3)])
      try await peer.say(
        .addQuery(["plants": ["$": ["where": ["$entityIdStartsWith": 7]]]]), as: "odd")
      #expect(try await peer.hearError().status == 400)
    }
  }

  @Test("sends nothing for a removed query", arguments: Wire.allCases)
  func removal(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      _ = try await peer.ask(tall)
      try await peer.say(.removeQuery(tall), as: "remove")
      #expect(
        try await peer.hear() == ServerEnvelope(.queryRemoved(tall), eventID: "remove"))
      let writer = try await served.open()
      try await writer.change(PlantData.grow(1, to: 99))
      let counted = try await peer.ask(["plants": ["$": ["aggregate": "count"]]])
      #expect(counted.query == ["plants": ["$": ["aggregate": "count"]]])
    }
  }

  @Test("accepts the same query once", arguments: Wire.allCases)
  func exists(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      _ = try await peer.ask(plants)
      try await peer.say(.addQuery(plants), as: "again")
      #expect(try await peer.hear() == ServerEnvelope(.queryExists(plants), eventID: "again"))
    }
  }

  @Test("reports a known query after it has been answered", arguments: Wire.allCases)
  func existsInOrder(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      for id in ["one", "two", "three"] { try await peer.say(.addQuery(plants), as: id) }
      let first = try await peer.hear()
      guard case .queryAdded = first.message else {
        Issue.record("\(first)")
        return
      }
      #expect(first.eventID == "one")
      for id in ["two", "three"] {
        #expect(try await peer.hear() == ServerEnvelope(.queryExists(plants), eventID: id))
      }
    }
  }

  @Test("rejects an invalid query and accepts it again later", arguments: Wire.allCases)
  func badQuery(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      let query: Value = ["plants": ["$": ["limits": 2]]]
      for name in ["first", "second"] {
        try await peer.say(.addQuery(query), as: name)
        let envelope = try await peer.hear()
        guard case .failed(let error) = envelope.message else {
          Issue.record("\(envelope)")
          return
        }
        #expect(envelope.eventID == name)
        #expect(error.type == "validation-failed")
        #expect(error.message.contains("Invalid query parameter 'limits'"))
        #expect(error.originalQuery == query)
        guard case .object(let hint)? = error.hint else {
          Issue.record("no hint")
          return
        }
        #expect(hint["input"] == query)
      }
    }
  }

  @Test(
    "rejects a malformed query with the position, the error and advice",
    arguments: Wire.allCases, QueryFaults.all)
  func faultyQuery(_ wire: Wire, _ fault: QueryFaults.Fault) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      for form in [ResultForm.joinRows, .tree] {
        try await peer.say(.addQuery(fault.query, form), as: "q")
        let error = try await peer.hearError()
        #expect(error.status == 400 && error.type == "validation-failed")
        #expect(error.message == "Validation failed for query: " + fault.sentence)
        #expect(error.originalOperation == "add-query")
        #expect(error.hint == fault.hint)
      }
    }
  }

  @Test(
    "rejects malformed steps with the reason and changes nothing", arguments: Wire.allCases)
  func faultySteps(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      let before = try await peer.ask(tall).processed
      for steps in [#"[["$foo", 1]]"#, "7", "[7]", #"[["add-triple", 1]]"#, #"[["add-attr", 7]]"#] {
        try await peer.channel.send(
          #"{"op":"transact","client-event-id":"t","tx-steps":\#(steps)}"#)
        let envelope = try await peer.hear()
        guard case .failed(let error) = envelope.message else {
          Issue.record("\(envelope)")
          return
        }
        #expect(envelope.eventID == "t")
        #expect(error.status == 400 && error.type == "validation-failed", "\(error)")
        #expect(error.originalOperation == "transact")
        guard case .object(let hint)? = error.hint, case .array(let faults)? = hint["errors"] else {
          Issue.record("no hint: \(error)")
          return
        }
        #expect(hint["data-type"] == "tx-steps" && faults.count == 1)
      }
      #expect(try await served.open().ask(tall).processed == before)
    }
  }

  @Test(
    "rejects a change with the store's message and changes nothing", arguments: Wire.allCases)
  func refusal(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      try await peer.say(.transact(PlantData.grow(9, to: 1)), as: "m")
      let envelope = try await peer.hear()
      guard case .failed(let error) = envelope.message else {
        Issue.record("\(envelope)")
        return
      }
      #expect(envelope.eventID == "m")
      #expect(error.type == "validation-failed")
      #expect(error.message.contains("Updating entities that don't exist"))
      #expect(error.originalOperation == "transact")
      try await peer.say(
        .transact(Transaction(PlantData.plant(9, "Aster", height: 1))), as: "twice")
      let twice = try await peer.hearError()
      #expect(twice.type == "record-not-unique" && twice.status == 400)
      guard case .object(let hint)? = twice.hint else {
        Issue.record("no hint: \(twice)")
        return
      }
      #expect(hint["record-type"] == "triple" && hint["attr-id"] == .text(PlantData.name.text))
      #expect(hint["etype"] == "plants" && hint["label"] == "name" && hint["value"] == "Aster")
      #expect(hint["hint"]?.textValue?.contains("another value") == true)
    }
  }

  @Test(
    "sends a hint with each rejected change", arguments: Wire.allCases)
  func hints(_ wire: Wire) async throws {
    let id = EntityReference.id(PlantData.id(1))
    let tall = Value.text("tall")
    let refusals: [(TransactionStep, String, Value)] = [
      (
        .addTriple(id, PlantData.height, tall), "validation-failed",
        ["in": ["plants", "height"], "expected": "number", "attempted-value": tall]
      ),
      (.addTriple(id, PlantData.bed, "nowhere"), "validation-failed", ["in": ["plants", "bed"]]),
      (.addTriple(id, PlantData.attribute(9), 1), "record-not-found", .null),
    ]
    try await wire.serveGarden { served in
      let peer = try await served.open()
      for (step, type, fault) in refusals {
        try await peer.say(.transact(Transaction([step])), as: "m")
        let error = try await peer.hearError()
        #expect(error.type == type && error.status == 400, "\(error)")
        guard case .object(let hint)? = error.hint else {
          Issue.record("no hint: \(error)")
          continue
        }
        guard case .object(let wanted) = fault else {
          #expect(hint["record-type"] == "attr")
          continue
        }
        guard case .array(let faults)? = hint["errors"], case .object(let told)? = faults.first
        else {
          Issue.record("\(hint)")
          continue
        }
        #expect(told["message"] == .text(error.message))
        for member in wanted.members { #expect(told[member.key] == member.value) }
      }
    }
    try await wire.serveGarden(access: AccessRule(allowsWriting: false)) { served in
      let peer = try await served.open()
      try await peer.say(.transact(PlantData.grow(1, to: 1)), as: "m")
      let error = try await peer.hearError()
      #expect(error.type == "app-read-only" && error.hint == ["status": "read-only"])
    }
  }

  @Test("sends values of any allowed depth", arguments: Wire.allCases)
  func deepValues(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let note = Attribute(id: PlantData.attribute(9), namespace: "plants", label: "note")
      let writer = try await served.open()
      try await writer.change(Transaction([.addAttribute(note)]))
      let reader = try await served.open()
      _ = try await reader.ask(["plants": ["$": ["fields": ["note"]]]], .joinRows)
      var deep: Value = 1
      // Requests of events wrap messages in two more levels, and a relay's answers wrap values in
      // some more.
      let depth =
        switch wire {
        case .loopback, .socket, .secure: 125
        case .events: 123
        case .relayed, .relayProcess: 100
        }
      for _ in 0..<depth { deep = .array([deep]) }
      try await writer.change(Transaction([.addTriple(.id(PlantData.id(1)), note.id, deep)]))
      let news = try await reader.hearAnswer()
      #expect(news.rows?.rows.contains { $0.value == deep } == true)
      let tree = try await reader.ask(["plants": ["$": ["fields": ["note"], "limit": 1]]])
      #expect(tree.values("plants", "note") == [JSONWriter.text(deep)])
    }
  }

  @Test("applies a change once that is sent twice", arguments: Wire.allCases)
  func resent(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      let id = PlantData.id(9)
      let create = Transaction([
        .addTriple(.id(id), PlantData.plantID, .text(id.text), .create),
        .addTriple(.id(id), PlantData.name, "Dill", .create),
      ])
      let name = EntityID.random().text
      let first = try await peer.change(create, as: name)
      let again = try await served.open().change(create, as: name)
      #expect(first == again)
      // The same id in another form means the same change.
      let shouted = try await served.open().change(create, as: name.uppercased())
      #expect(first == shouted)
    }
  }

  @Test(
    "applies every change of clients with numbered messages",
    arguments: Wire.allCases, ["t1", "1", "", "00000000-0000-0000-0000-000000000001"])
  func countedNames(_ wire: Wire, _ name: String) async throws {
    try await wire.serveGarden { served in
      let first = try await served.open()
      let second = try await served.open()
      try await first.change(PlantData.grow(1, to: 70), as: name)
      try await first.change(PlantData.grow(2, to: 80), as: name)
      try await second.change(PlantData.grow(3, to: 90), as: name)
      let told = try await served.open().ask(plants)
      #expect(told.values("plants", "height") == ["70", "80", "90"])
    }
  }

  @Test("sends new attributes before answers that need them", arguments: Wire.allCases)
  func newAttributes(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let reader = try await served.open()
      _ = try await reader.ask(plants)
      let color = Attribute(id: PlantData.attribute(9), namespace: "plants", label: "color")
      try await served.open().change(
        Transaction([
          .addAttribute(color), .addTriple(.id(PlantData.id(1)), color.id, "blue"),
        ]))
      guard case .refreshed(let refresh) = try await reader.hear().message else {
        Issue.record("no attributes")
        return
      }
      #expect(refresh.attributes?.last == color)
      #expect(refresh.computations == [])
      let told = try await reader.hearAnswer()
      #expect(told.values("plants", "color").first == #""blue""#)
    }
  }

  @Test("rejects clients without the token", arguments: Wire.allCases)
  func token(_ wire: Wire) async throws {
    try await wire.serveGarden(access: AccessRule(token: "sesame")) { served in
      let stranger = try await served.connect()
      try await stranger.say(.start(Opening(appID: "garden", adminToken: "open")), as: "1")
      #expect(try await stranger.hearError().recordType == "app-admin-token")
      try await stranger.say(.addQuery(plants), as: "2")
      #expect(try await stranger.hearError().message.contains("`init` has not run"))
      let friend = try await served.connect()
      #expect(try await friend.open(token: "sesame").isAdmin)
    }
  }

  @Test("changes nothing when it is read-only", arguments: Wire.allCases)
  func readOnly(_ wire: Wire) async throws {
    try await wire.serveGarden(access: AccessRule(allowsWriting: false)) { served in
      let peer = try await served.connect()
      #expect(try await peer.open().status == .readOnly)
      try await peer.say(.transact(PlantData.grow(1, to: 1)), as: "m")
      #expect(try await peer.hearError().type == "app-read-only")
    }
  }

  @Test("shares the presence of a room, and reports who left", arguments: Wire.allCases)
  func rooms(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let first = try await served.connect()
      let id = try await first.open().sessionID
      let second = try await served.open()
      try await first.say(.joinRoom("shed", data: ["name": "Mo"]), as: "1")
      #expect(try await first.hear() == ServerEnvelope(.roomJoined("shed"), eventID: "1"))
      _ = try await first.hear()
      try await second.say(.joinRoom("shed"), as: "2")
      #expect(try await second.hear() == ServerEnvelope(.roomJoined("shed"), eventID: "2"))
      guard case .presence("shed", let people) = try await second.hear().message else {
        Issue.record("nobody is there")
        return
      }
      #expect(people.count == 2)
      #expect(people[id] == ["peer-id": .text(id), "user": nil, "data": ["name": "Mo"]])
      _ = try await first.hear()

      let wave = Broadcast(room: "shed", topic: "wave", data: ["n": 1])
      try await first.say(.broadcast(wave), as: "3")
      let peer: Value = ["peer-id": .text(id), "user": nil, "data": ["n": 1]]
      let told = Broadcast(room: "shed", topic: "wave", data: peer)
      #expect(try await first.hear() == ServerEnvelope(.broadcastDone(told), eventID: "3"))
      #expect(try await second.hear() == ServerEnvelope(.broadcast(told)))

      await first.channel.close()
      guard case .presence("shed", let left) = try await second.hear().message else {
        Issue.record("nobody left")
        return
      }
      #expect(left.count == 1 && left[id] == nil)
    }
  }

  @Test("ends sessions and channels when it closes", arguments: Wire.allCases)
  func closing(_ wire: Wire) async throws {
    try await wire.serveGarden { served in
      let peer = try await served.open()
      _ = try await peer.ask(plants)
      await served.close()
      #expect(try await peer.hearsNoMore())
      if wire != .relayProcess { #expect(await served.server.connectionCount == 0) }
    }
  }
}
