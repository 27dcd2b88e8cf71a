import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples
import WebSockets

@Suite("The admin interface", .timeLimit(.minutes(10)))
struct AdminRoutesTests {
  /// The status and body of a response.
  private func ask(
    _ method: String, _ path: String, _ served: Served, body: String = "", token: String? = nil
  ) async throws -> (status: Int, body: String) {
    let headers = token.map { ["Authorization: Bearer \($0)", "app-id: garden"] } ?? []
    let answer = try await RawConnection.ask(
      method, path, port: try #require(served.listener).port, body: body, headers: headers)
    let status = try #require(Int(answer.dropFirst(9).prefix(3)))
    let end = try #require(answer.firstRange(of: "\r\n\r\n"))
    return (status, String(answer[end.upperBound...]))
  }

  @Test("reports that the server is healthy")
  func health() async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: "t")) { served in
      let health = try await ask("GET", "/health", served)
      #expect(health.status == 200 && health.body == #"{"status":"ok"}"#)
      let system = try await ask("GET", "/health/system", served)
      #expect(system.body == #"{"wal":"ok"}"#)
    }
  }

  @Test("answers a query with nested objects")
  func query() async throws {
    try await Wire.socket.serveGarden { served in
      let body =
        #"{"query":{"plants":{"$":{"where":{"name":"Aster"},"fields":["name"]},"bed":{}}}}"#
      let list = try await ask("POST", "/admin/query", served, body: body)
      #expect(list.status == 200)
      let aster = PlantData.id(1).text
      let north = PlantData.id(50).text
      #expect(
        list.body == #"{"plants":[{"name":"Aster","id":"\#(aster)","bed":[{"id":"\#(north)","#
          + #""name":"North"}]}]}"#)
      let inferred = try await ask(
        "POST", "/admin/query", served,
        body: String(body.dropLast()) + #","inference?":true}"#)
      #expect(inferred.body.contains(#""bed":{"id""#))
    }
  }

  @Test("rejects invalid queries, as a request or subscription", arguments: QueryFaults.all)
  func faultyQuery(_ fault: QueryFaults.Fault) async throws {
    try await Wire.socket.serveGarden { served in
      let body = JSONWriter.text(["query": fault.query])
      let told = try await ask("POST", "/admin/query", served, body: body)
      #expect(told.status == 400)
      let sentence: Value = .text("Validation failed for query: " + fault.sentence)
      #expect(
        try JSONReader.value(of: told.body)
          == ["type": "validation-failed", "message": sentence, "hint": fault.hint])
      let followed = try await RawConnection.open(port: try #require(served.listener).port)
      followed.say(RawConnection.request("POST", "/admin/subscribe-query", body: body))
      let event = await followed.hear(until: #""op":"error""#)
      #expect(event.contains(JSONWriter.text(sentence)))
      followed.close()
    }
  }

  @Test("rejects invalid operations and changes nothing")
  func faultySteps() async throws {
    try await Wire.socket.serveGarden { served in
      let fern = PlantData.id(9).text
      for steps in [
        #"[["frobnicate","plants","\#(fern)",{}]]"#, "7", "[7]", #"[["update","plants"]]"#,
        #"[["add-attr",7]]"#,
      ] {
        let told = try await ask(
          "POST", "/admin/transact", served, body: #"{"steps":\#(steps)}"#)
        #expect(told.status == 400, "\(steps)")
        #expect(told.body.contains(#""type":"validation-failed""#), "\(told.body)")
        #expect(told.body.contains(#""hint":{"data-type":"steps","input":\#(steps)"#))
      }
      let told = try await ask(
        "POST", "/admin/query", served,
        body: #"{"query":{"plants":{"$":{"aggregate":"count"}},"beds":{"$":{"limit":1}}}}"#)
      #expect(told.status == 200 && !told.body.contains(fern))
    }
  }

  @Test("creates an attribute once for several concurrent requests")
  func sameNewAttribute() async throws {
    let base = MemoryStore(try PlantData.store())
    let gate = Gate()
    try await Wire.loopback.serve(BlockingStore(base: base, gate: gate)) { served in
      let server = served.server
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...3 {
          let steps: Value = [["update", "plants", .text(PlantData.id(number).text), ["scent": 1]]]
          group.addTask {
            _ = try await server.transact(operations: steps, makesAttributes: true)
          }
        }
        // All have read the store before one of them changes it.
        try await waitUntil("all requests wait") { await gate.count >= 3 }
        await gate.open()
        try await group.waitForAll()
      }
      let told = try await served.open().ask(["plants": [:]])
      #expect(told.values("plants", "scent") == ["1", "1", "1"])
    }
  }

  @Test("rejects what the store rejects, with its type and hint")
  func refusedByStore() async throws {
    try await Wire.socket.serveGarden { served in
      let told = try await ask(
        "POST", "/admin/transact", served,
        body: #"{"steps":[["update","plants","\#(PlantData.id(1).text)",{"name":"Borage"}]]}"#)
      #expect(told.status == 400)
      guard case .object(let body) = try JSONReader.value(of: told.body),
        case .object(let hint)? = body["hint"]
      else {
        Issue.record("\(told.body)")
        return
      }
      #expect(body["type"] == "record-not-unique")
      #expect(hint["label"] == "name" && hint["value"] == "Borage")
    }
  }

  @Test("returns objects like a server: ids of links, and null for indexed attributes")
  func stored() async throws {
    try await Wire.socket.serveGarden { served in
      let (fern, north) = (PlantData.id(9).text, PlantData.id(50).text)
      let made = try await ask(
        "POST", "/admin/transact", served,
        body: #"{"steps":[["create","plants","\#(fern)",{"name":"Fern"}]]}"#)
      #expect(made.status == 200)
      func told(_ query: String, _ inference: Bool = false) async throws -> Value {
        let body = #"{"query":\#(query),"inference?":\#(inference)}"#
        return try JSONReader.value(
          of: try await ask("POST", "/admin/query", served, body: body).body)
      }
      let by = { (name: String) in #"{"where":{"name":"\#(name)"}}"# }
      #expect(
        try await told(#"{"plants":{"$":\#(by("Aster"))}}"#)
          == [
            "plants": [
              [
                "id": .text(PlantData.id(1).text), "name": "Aster", "height": 30,
                "bed": .text(north),
              ]
            ]
          ])
      #expect(
        try await told(#"{"plants":{"$":\#(by("Fern"))}}"#)
          == ["plants": [["id": .text(fern), "name": "Fern", "height": nil]]])
      #expect(
        try await told(#"{"plants":{"$":\#(by("Fern")),"bed":{}}}"#, true)
          == ["plants": [["id": .text(fern), "name": "Fern", "height": nil, "bed": nil]]])
      #expect(
        try await told(#"{"plants":{"$":{"where":{"name":"Fern"},"fields":["name"]}}}"#)
          == ["plants": [["id": .text(fern), "name": "Fern"]]])
    }
  }

  @Test("applies operations and creates new attributes")
  func transact() async throws {
    try await Wire.socket.serveGarden { served in
      let fern = PlantData.id(9).text
      let steps = """
        {"steps":[["update","plants","\(fern)",{"name":"Fern","color":"green"}],
        ["link","plants","\(fern)",{"bed":"\(PlantData.id(51).text)"}],
        ["update","plants",["name","Aster"],{"height":31}]]}
        """
      let made = try await ask("POST", "/admin/transact", served, body: steps)
      #expect(made.status == 200)
      #expect(made.body == #"{"tx-id":3}"#)
      let told = try await ask(
        "POST", "/admin/query", served,
        body: #"{"query":{"plants":{"$":{"where":{"color":"green"}}}}}"#)
      #expect(told.body.contains("Fern"))
      let strict = try await ask(
        "POST", "/admin/transact", served,
        body: #"{"throw-on-missing-attrs?":true,"steps":[["update","plants","\#(fern)",{"x":1}]]}"#)
      #expect(strict.status == 400)
      #expect(strict.body.contains("plants.x does not exist in your schema"))
    }
  }

  @Test("reports that there are no permissions to test", arguments: ["query", "transact"])
  func permissions(_ what: String) async throws {
    try await Wire.socket.serveGarden { served in
      let told = try await ask("POST", "/admin/\(what)_perms_check", served, body: "{}")
      #expect(told.status == 400)
      #expect(told.body.contains("this server has no permission rules to test"))
    }
  }

  @Test("returns the schema")
  func schema() async throws {
    try await Wire.socket.serveGarden { served in
      let told = try await ask("GET", "/admin/schema", served)
      let json = try JSONReader.value(of: told.body)
      guard case .object(let object) = json, case .object(let schema)? = object["schema"],
        case .object(let refs)? = schema["refs"], case .object(let blobs)? = schema["blobs"]
      else {
        Issue.record("\(told.body)")
        return
      }
      #expect(refs.keys == ["plants-bed-beds-plants"])
      #expect(blobs.keys.sorted() == ["beds", "plants"])
    }
  }

  @Test(
    "provides triples and attributes for pages rendered on a server",
    arguments: ["/runtime/framework/query", "/runtime/triples"])
  func pageRows(_ path: String) async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: "t")) { served in
      let body = #"{"query":{"plants":{"$":{"where":{"name":"Aster"},"limit":1},"bed":{}}}}"#
      let told = try await ask("POST", path, served, body: body, token: "t")
      #expect(told.status == 200)
      guard case .object(let json) = try JSONReader.value(of: told.body),
        case .array(let attributes)? = json["attrs"]
      else {
        Issue.record("\(told.body)")
        return
      }
      #expect(attributes.count == PlantData.attributes.count)
      let text = JSONWriter.text(json["result"] ?? .null)
      #expect(text.hasPrefix(#"[{"data":{"datalog-result":{"join-rows":[[["#))
      #expect(text.contains(#""page-info":{"plants":"#))
      #expect(text.contains(PlantData.id(50).text) && !text.contains("Borage"))
      let stranger = try await ask("POST", path, served, body: body)
      #expect(stranger.status == 400)
    }
  }

  @Test("sends the answer to a query and each new one as events")
  func events() async throws {
    try await Wire.socket.serveGarden { served in
      let port = try #require(served.listener).port
      let connection = try await RawConnection.open(port: port)
      connection.say(
        RawConnection.request(
          "POST", "/admin/subscribe-query",
          body: #"{"query":{"plants":{"$":{"where":{"name":"Aster"}}}}}"#))
      let first = await connection.hear(until: "Aster")
      #expect(first.contains("Content-Type: text/event-stream"))
      #expect(first.contains(#"data: {"op":"sse-init""#))
      #expect(first.contains(#"data: {"op":"add-query-ok""#))
      try await served.open().change(PlantData.grow(1, to: 77))
      let next = await connection.hear(until: "77")
      #expect(next.contains(#"data: {"op":"refresh-ok""#))
      #expect(await served.server.connectionCount == 2)
      connection.close()
    }
  }

  @Test(
    "rejects invalid requests with a message",
    arguments: [
      ("GET", "/nowhere", "", "t", 404, "Oops! We couldn't match this route."),
      ("GET", "/admin/query", "", "t", 404, "Oops!"),
      ("POST", "/admin/query", "{}", nil, 400, "authorization"),
      ("POST", "/admin/query", "{}", "u", 401, "app-admin-token"),
      ("POST", "/admin/query", "{}", "t", 400, #"Missing parameter: [\"query\"]"#),
      ("POST", "/admin/query", "{", "t", 400, "The body is not valid JSON"),
      ("POST", "/admin/query", "7", "t", 400, "The body must be a JSON object"),
      ("POST", "/admin/query", #"{"query":{"plants":{"$":{"x":1}}}}"#, "t", 400, "Invalid query"),
      ("POST", "/admin/transact", #"{"steps":7}"#, "t", 400, "`steps` must be a list"),
      ("POST", "/admin/transact", #"{"steps":[["paint","a","b",{}]]}"#, "t", 400, "paint"),
    ] as [(String, String, String, String?, Int, String)])
  func refusals(
    _ method: String, _ path: String, _ body: String, _ token: String?, _ status: Int,
    _ words: String
  ) async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: "t")) { served in
      let answer = try await ask(method, path, served, body: body, token: token)
      #expect(answer.status == status)
      #expect(answer.body.contains(words))
    }
  }

  @Test("rejects a request beyond the maximum size")
  func tooLarge() async throws {
    var limits = ServerLimits.forTests
    limits.textBytes = 1_000
    try await Wire.socket.serveGarden(limits: limits) { served in
      let answer = try await ask(
        "POST", "/admin/query", served, body: String(repeating: "a", count: 2_000))
      #expect(answer.status == 413)
    }
  }
}
