import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Serving all kinds of stores", .waitsForPrograms, .timeLimit(.minutes(10)))
struct ServedStoresTests {
  /// Runs the query as a new client.
  private func titles(_ address: String, _ place: Place) throws -> String {
    let run = try place.run("query", address, Tasks.query, "--format", "ndjson")
    #expect(run.status == 0, "\(run)")
    return run.output
  }

  @Test("a store file accepts changes over the network")
  func storeFile() throws {
    try Program.withFolder(["tasks.json": Tasks.one]) { folder in
      let place = Place(folder)
      let file = folder + "/a.sonde"
      #expect(try place.run("import", folder + "/tasks.json", "--into", file).status == 0)
      let server = try Server(file)
      #expect(try titles(server.address, place).contains("one"))
      #expect(
        try place.run("transact", server.address, "-", input: Tasks.addition).status == 0)
      #expect(try titles(server.address, place).contains("two"))
      server.stop()
      #expect(try titles(file, place).contains("two"))
    }
  }

  @Test("a backup is served read-only and rejects changes")
  func backup() throws {
    try Program.withFolder(["tasks.json": Tasks.one]) { folder in
      let place = Place(folder)
      let file = folder + "/b.zip"
      #expect(try place.run("export", folder, "--to", file).status == 0)
      let refused = try place.run("serve", file, "--write", "--port", "0")
      #expect(refused.status == 2 && refused.error.contains("A backup is read-only"))
      let server = try Server(file, access: .readOnly)
      #expect(try titles(server.address, place).contains("one"))
      let change = try place.run("transact", server.address, "-", input: Tasks.addition)
      #expect(change.status == 1 && change.error.contains("read-only"), "\(change)")
      server.stop()
    }
  }

  @Test(
    "a relayed store can be read, changed and watched, also while its server is offline")
  func proxy() throws {
    try Program.withFolder(["tasks.json": Tasks.one]) { folder in
      let (place, proxyPlace) = (Place(folder), Place(folder, "proxy"))
      let origin = try Server(folder)
      let proxy = try Server(origin.address, environment: proxyPlace.environment)
      #expect(try titles(proxy.address, place).contains("one"))
      let watch = try Child(
        [Program.path, "watch", proxy.address, Tasks.query, "--format", "ndjson"],
        environment: place.environment)
      #expect(watch.line()?.contains("one") == true)
      watch.signal(SIGINT)
      _ = watch.finish()

      // What was known of an earlier question is no answer while the origin can be asked.
      #expect(try place.run("transact", origin.address, "-", input: Tasks.addition).status == 0)
      #expect(try titles(proxy.address, Place(folder, "stranger")).contains("two"))

      let third = Tasks.addition.replacing("0002", with: "0003").replacing("two", with: "three")
      #expect(try place.run("transact", proxy.address, "-", input: third).status == 0)
      #expect(try titles(proxy.address, Place(folder, "other")).contains("three"))
      #expect(try titles(origin.address, Place(folder, "another")).contains("three"))

      origin.stop()
      #expect(try titles(proxy.address, Place(folder, "late")).contains("three"))
      proxy.stop()
    }
  }

  @Test("a relayed server and its clients use different tokens")
  func tokens() throws {
    try Program.withFolder([
      "tasks.json": Tasks.one, "inner": "inner-token", "outer": "outer-token",
    ]) {
      folder in
      for file in ["inner", "outer"] { chmod(folder + "/" + file, 0o600) }
      let (place, proxyPlace) = (Place(folder), Place(folder, "proxy"))
      let origin = try Server(folder, options: ["--token-file", folder + "/inner"])
      var inner = proxyPlace.environment
      inner["SONDE_TOKEN"] = "inner-token"
      func ask(_ proxy: Server, _ file: String...) throws -> Program.Run {
        let options = file.flatMap { ["--token-file", folder + "/" + $0] }
        return try Program.run(
          ["query", proxy.address, Tasks.query] + options, environment: place.environment)
      }

      let unclear = try Program.run(["serve", origin.address, "--port", "0"], environment: inner)
      #expect(unclear.status == 2, "\(unclear)")
      #expect(
        unclear.error.contains(
          "SONDE_TOKEN is ambiguous: it could be the token for \(origin.address)"))
      #expect(!unclear.error.contains("inner-token"))

      let proxy = try Server(
        origin.address, options: ["--token-file", folder + "/outer"], environment: inner)
      #expect(try ask(proxy, "outer").output.contains("one"))
      #expect(try ask(proxy, "inner").status == 1)
      #expect(try ask(proxy).status == 1)
      proxy.stop()

      let kept = try proxyPlace.run("token", origin.address, input: "inner-token")
      #expect(kept.status == 0, "\(kept)")
      let open = try Server(origin.address, environment: proxyPlace.environment)
      #expect(try ask(open).output.contains("one"))
      open.stop()
      origin.stop()
    }
  }
}
