import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(
  "A store behind a server, from the command line", .waitsForPrograms, .timeLimit(.minutes(10)))
struct ServerStoreTests {
  @Test("answers, watches, changes and reports rejections")
  func session() throws {
    try Program.withFolder(["tasks.json": Tasks.one]) { folder in
      let place = Place(folder)
      let server = try Server(folder)
      #expect(try place.run("query", server.address, Tasks.query).output.contains("one"))
      let watch = try Child(
        [Program.path, "watch", server.address, Tasks.query, "--format", "ndjson"],
        environment: place.environment)
      #expect(watch.line()?.contains("one") == true)
      let made = try place.run("transact", server.address, "-", input: Tasks.addition)
      #expect(made.status == 0 && Int(made.output.dropLast()) != nil, "\(made)")
      while let line = watch.line(), !line.contains("two") {}
      watch.signal(SIGINT)
      _ = watch.finish()
      let wrong = try place.run(
        "transact", server.address, "-",
        input: #"[["delete-attr", "5a000000-0000-4000-8000-00000000dead"]]"#)
      #expect(wrong.status == 1, "\(wrong)")
      server.stop()
    }
  }

  #if os(Linux)
    @Test("neither client nor server is woken by Dispatch while idle")
    func rest() throws {
      try Program.withFolder(["tasks.json": Tasks.one]) { folder in
        let server = try Server(folder)
        let watch = try Child(
          [Program.path, "watch", server.address, Tasks.query, "--format", "ndjson"],
          environment: Place(folder).environment)
        while let line = watch.line(), !line.contains("live") {}
        // Dispatch calls its pool by the quality of service, and looks after it once a second.
        for threads in [try Program.threads(of: watch.process), try server.threads()] {
          #expect(threads.contains { $0.hasPrefix("NIO") })
          #expect(!threads.contains { $0.hasSuffix("-qos") }, "\(threads)")
        }
        watch.signal(SIGINT)
        _ = watch.finish()
        server.stop()
      }
    }
  #endif

  @Test("an offline server is reported once")
  func toldOnce() throws {
    try Program.withFolder(["tasks.json": Tasks.one]) { folder in
      let server = try Server(folder)
      let watch = try Child(
        [Program.path, "watch", server.address, Tasks.query],
        environment: Place(folder).environment)
      var lines: [String] = []
      while let line = watch.line(), !line.contains(#""live""#) {}
      server.stop()
      // Starting takes so long that it is called meanwhile.
      let again = try Server(folder, port: server.port)
      while let line = watch.line(), !line.contains(#""live""#) { lines.append(line) }
      #expect(lines.contains { $0.contains(#""offline""#) })
      #expect(Set(lines).count == lines.count, "\(lines)")
      watch.signal(SIGTERM)
      _ = watch.finish()
      again.stop()
    }
  }

  @Test("an entity known only to the server can be changed")
  func required() throws {
    try Program.withFolder([:]) { folder in
      let place = Place(folder)
      let server = try Server("goals")
      let marathon = "16d57037-0626-83c5-87d6-d4bb916fce5e"
      let made = try place.run(
        "transact", server.address, "-",
        input: #"[["update", "goals", "\#(marathon)", {"title": "Walk"}]]"#)
      #expect(made.status == 0, "\(made.error)")
      let shown = try place.run("query", server.address, "goals filter title = \"Walk\" fields key")
      #expect(shown.output.contains("half-marathon"))
      // The server still requires the mandatory attributes.
      let added = try place.run(
        "transact", server.address, "-",
        input: #"[["create", "goals", "16d57037-0626-83c5-87d6-000000000000", {"title": "x"}]]"#)
      #expect(added.status == 1)
      #expect(added.error.contains("Missing required attribute"))
      server.stop()
    }
  }

  @Test("rejections contain labels and a hint")
  func refusals() throws {
    try Program.withFolder(["tasks.json": Tasks.one]) { folder in
      let place = Place(folder)
      let server = try Server(folder)
      let advice = "Update these entities, or create new ones with other ids."
      let again = #"[["create", "tasks", "7a000000-0000-4000-8000-000000000001", {"title": "x"}]]"#
      for store in [server.address, folder] {
        let refused = try place.run("transact", store, "-", "--json-errors", input: again)
        guard store == server.address else {
          // A folder keeps no changes, and says so in the same form.
          #expect(refused.status == 2 && refused.error.contains(#""message":"#), "\(refused)")
          continue
        }
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.error.contains("7a000000-0000-4000-8000-000000000001 (one)"), "\(refused)")
        #expect(refused.error.contains(#""hint":"\#(advice)""#))
        #expect(refused.error.contains(#""kind":"refused""#))
      }
      let plain = try place.run("transact", server.address, "-", input: again)
      #expect(plain.error.hasSuffix("(one). \(advice)\n"), "\(plain)")
      let wrong = #"{"tasks":{"$":{"where":{"title":null}}}}"#
      for arguments in [["query"], ["watch"]] {
        let run = try place.run(arguments[0], server.address, wrong, "--json-errors")
        #expect(run.status == 1 && run.error.contains(#""status":1"#), "\(run)")
      }
      let lines = try place.run("query", server.address, "-", input: wrong + "\n")
      #expect(lines.output.contains(#""status":1"#), "\(lines)")
      server.stop()
    }
  }

  @Test("a query that was never sent differs from one without an answer")
  func notAsked() throws {
    try Program.withFolder([:]) { folder in
      let watch = try Child(
        [Program.path, "watch", "ws://127.0.0.1:1/app", "{\"tasks\":{}}", "--lenient"],
        environment: Place(folder).environment)
      let line = watch.line() ?? ""
      #expect(line.contains(#""kind":"not-asked""#), "\(line)")
      #expect(line.contains("This query was never sent to the server"), "\(line)")
      watch.signal(SIGTERM)
      _ = watch.finish()
    }
  }

  @Test("after a crash offline, the last answer and queued changes remain")
  func restart() throws {
    try Program.withFolder(["tasks.json": Tasks.one]) { folder in
      let place = Place(folder)
      let server = try Server(folder)
      _ = try place.run("query", server.address, Tasks.query)
      server.stop()
      let kept = try place.run("transact", server.address, "-", input: Tasks.addition)
      #expect(kept.status == 3 && kept.output.isEmpty, "\(kept)")
      #expect(kept.error.contains("queued and will be sent"))
      let offline = try place.run("query", server.address, Tasks.query)
      #expect(offline.status == 3, "\(offline)")
      #expect(offline.output.contains("one") && offline.output.contains("two"))
      #expect(offline.error.hasPrefix("sonde: The server is unreachable ("))
      #expect(offline.error.hasSuffix("). This is the last known state.\n"))
      let lines = try place.run("query", server.address, "-", input: Tasks.query + "\n")
      #expect(lines.status == 3 && lines.output.contains("two"), "\(lines)")
      #expect(lines.error.contains("is unreachable"))
      let schema = try place.run("schema", server.address)
      #expect(schema.status == 3 && schema.output.contains("title"), "\(schema)")

      // The server is back, and the queued change arrives: another client sees it.
      let again = try Server(folder, port: server.port)
      let stranger = Place(folder, "stranger")
      let watch = try Child(
        [Program.path, "watch", again.address, Tasks.query, "--format", "ndjson"],
        environment: stranger.environment)
      #expect(watch.line()?.contains("two") == false)
      let sender = try Child(
        [Program.path, "watch", again.address, Tasks.query, "--format", "ndjson"],
        environment: place.environment)
      while let line = watch.line(), !line.contains("two") {}
      sender.signal(SIGKILL)
      _ = sender.finish()
      watch.signal(SIGINT)
      _ = watch.finish()
      again.stop()
    }
  }

  @Test("a token comes from a file, the environment or storage, and is never shown")
  func tokens() throws {
    try Program.withFolder(["tasks.json": Tasks.one, "token": "s3cret-token\n"]) { folder in
      let file = folder + "/token"
      chmod(file, 0o600)
      let place = Place(folder)
      let server = try Server(folder, options: ["--token-file", file])
      var said = ""
      func query(_ options: String..., token: String = "") throws -> Program.Run {
        let run = try Program.run(
          ["query", server.address, Tasks.query] + options,
          environment: place.environment.merging(["SONDE_TOKEN": token]) { $1 })
        said += run.output + run.error
        return run
      }

      #expect(try query().error.contains("Store it with: sonde token \(server.address)"))
      #expect(try query("--token-file", file).output.contains("one"))
      #expect(try query("--token-file", file, "--as-user").output.contains("one"))
      #expect(try query("--token-file", file, token: "another").output.contains("one"))
      #expect(try query(token: "s3cret-token").output.contains("one"))
      #expect(try query(token: "another").status == 1)

      let kept = try place.run("token", server.address, input: "s3cret-token\n")
      #expect(kept.status == 0 && kept.error.contains("is stored"), "\(kept)")
      #expect(try query().output.contains("one"))
      #expect(try place.run("token", server.address, "--forget").status == 0)
      #expect(try query().status == 1)

      chmod(file, 0o644)
      let open = try query("--token-file", file)
      #expect(open.status == 2 && open.error.contains("Run: chmod 600 \(file)"), "\(open)")
      let serving = try Program.run(["serve", folder, "--token-file", file])
      #expect(serving.status == 2 && serving.error.contains("Run: chmod 600"), "\(serving)")
      #expect(!(said + kept.output + kept.error + serving.error).contains("s3cret"))
      server.stop()
    }
  }

  @Test("only tokens for servers are stored")
  func noToken() throws {
    try Program.withFolder([:]) { folder in
      let place = Place(folder)
      let elsewhere = try place.run("token", folder, input: "a")
      #expect(elsewhere.status == 2 && elsewhere.error.contains("is not a server"), "\(elsewhere)")
      let none = try place.run("token", "ws://localhost:1/app")
      #expect(none.status == 2 && none.error.contains("there is no token to store"), "\(none)")
      let empty = try place.run("token", "ws://localhost:1/app", input: "\n")
      #expect(empty.status == 2 && empty.error.contains("The token is empty."), "\(empty)")
    }
  }
}
