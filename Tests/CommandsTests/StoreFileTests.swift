import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Commands on store files", .waitsForPrograms, .timeLimit(.minutes(5)))
struct StoreFileTests {
  @Test("after a command, the file contains everything")
  func closed() throws {
    try Program.withFolder(["more.json": "[]"]) { folder in
      let path = folder + "/a.sonde"
      try Self.add("one", to: path, "--create")
      try Self.expect(["one"], in: path, after: "transact")
      for arguments in [
        ["query", path, "notes"], ["query", path, "nothing"], ["schema", path],
        ["import", folder + "/more.json", "--into", path],
        ["export", path, "--to", folder + "/out"], ["check", path],
      ] {
        _ = try Program.run(arguments)
        try Self.expect(["one"], in: path, after: arguments[0])
      }
    }
  }

  @Test(
    "a server and a watch that are ended by a signal close the file", arguments: [SIGTERM, SIGINT])
  func signaled(_ signal: Int32) throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/a.sonde"
      try Self.add("one", to: path, "--create")
      let server = try Child([Program.path, "serve", path, "--port", "0", "--write"])
      let line = try #require(server.line())
      let address = try #require(line.split(separator: " ").first { $0.hasPrefix("ws://") })
      try Self.add("two", to: String(address))
      server.signal(signal)
      let end = server.finish()
      #expect(end.status == (signal == SIGINT ? 130 : 0), "\(end)")
      try Self.expect(["one", "two"], in: path, after: "serve")
      let watch = try Child([Program.path, "watch", path, "notes"])
      _ = watch.line()
      try Self.add("three", to: path)
      _ = watch.line()
      watch.signal(signal)
      _ = watch.finish()
      try Self.expect(["one", "three", "two"], in: path, after: "watch")
    }
  }

  @Test("concurrent writers of the same new names all succeed")
  func newNames() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/a.sonde"
      try Self.add("first", to: path, "--create")
      for round in 0..<5 {
        let writers = try (0..<4).map { number in
          let writer = try Child([Program.path, "transact", path, "-"])
          try writer.write(
            #"[["update", "c", "\#(UUID().uuidString)", {"new\#(round)": \#(number)}]]"#)
          return writer
        }
        for writer in writers {
          let end = writer.finish()
          #expect(end.status == 0, "round \(round): \(end.complaints)")
        }
        let count = try Program.run(["query", path, "c filter new\(round) >= 0 count"])
        #expect(count.output.contains("4"), "round \(round): \(count.output)")
      }
    }
  }

  @Test("check detects damage, and salvage exports the readable part")
  func checking() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/a.sonde"
      try Self.add("one", to: path, "--create")
      try Self.add("two", to: path)
      let sound = try Program.run(["check", path])
      #expect(sound.status == 0)
      #expect(sound.output.contains("is undamaged: 4 triples"), "\(sound.output)")
      let doctor = try Program.run(["doctor", path])
      #expect(
        doctor.output.contains("not checked; run: sonde check \(path)\n"), "\(doctor.output)")
      var bytes = try Data(contentsOf: URL(filePath: path))
      // The first is the triple's, others may be in the log.
      var place = bytes.startIndex
      while let found = bytes[place...].firstRange(of: Data("two".utf8)) {
        bytes[found.lowerBound] = UInt8(ascii: "T")
        place = found.upperBound
      }
      try bytes.write(to: URL(filePath: path))
      let damaged = try Program.run(["check", path])
      #expect(damaged.status == 3)
      #expect(damaged.output.contains("notes.title of "), "\(damaged.output)")
      #expect(damaged.error.contains("--salvage"), "\(damaged.error)")
      #expect(
        damaged.error.hasSuffix("--to FOLDER, then: sonde import FOLDER --into NEW.sonde\n"),
        "\(damaged.error)")
      let json = try Program.run(["check", path, "--json-errors"])
      #expect(json.error.contains(#""attribute":"notes.title""#), "\(json.error)")
      let refused = try Program.run(["query", path, "notes"])
      #expect(refused.status == 3)
      #expect(refused.error.contains("sonde check"), "\(refused.error)")
      let salvage = try Program.run(["export", path, "--salvage", "--to", folder + "/out"])
      #expect(salvage.error.contains("notes.title of "), "\(salvage.error)")
      let left = try Program.run(["query", folder + "/out", "notes fields title"])
      #expect(left.output.contains("one") && !left.output.contains("wo"), "\(left.output)")
    }
  }

  @Test("a store can be read in a read-only folder")
  func readOnlyPlace() throws {
    let setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    // Root may write everywhere, and a user needs no other one.
    guard getuid() != 0 || setpriv != nil else { return }
    try Program.withFolder([:]) { folder in
      let (inner, program) = (folder + "/in", folder + "/sonde")
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
      // By another process: a child started meanwhile would inherit the open copy, and a file that is
      // open for writing cannot be executed.
      #expect(try Child(["cp", Program.path, program]).finish().status == 0)
      let path = inner + "/a b%.sonde"
      try Self.add("one", to: path, "--create")
      chmod(folder, 0o755)
      chmod(inner, 0o555)
      chmod(path, 0o444)
      defer { chmod(inner, 0o755) }
      let user =
        getuid() == 0
        ? [setpriv ?? "", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
      let query = try Child(user + [program, "query", path, "notes fields title"]).finish()
      #expect(query.output.contains("one"), "\(query.complaints)")
      let doctor = try Child(user + [program, "doctor", path]).finish()
      #expect(doctor.output.contains("Read-only, because the file or its folder"), "\(doctor)")
      let write = try Child(user + [program, "transact", path, "-"])
      try write.write(#"[["update", "notes", "\#(UUID().uuidString)", {"title": "two"}]]"#)
      let end = write.finish()
      #expect(end.status == 3)
      #expect(end.complaints.contains("Cannot write"), "\(end.complaints)")
    }
  }

  private static func add(_ title: String, to store: String, _ options: String...) throws {
    let run = try Program.run(
      ["transact", store, "-"] + options,
      input: #"[["update", "notes", "\#(UUID().uuidString)", {"title": "\#(title)"}]]"#)
    #expect(run.status == 0, "\(run.error)")
  }

  /// Checks a copy of the file, and that there are no other files next to it.
  private static func expect(_ titles: [String], in path: String, after command: String) throws {
    for log in ["-wal", "-shm", "-journal"] {
      #expect(!FileManager.default.fileExists(atPath: path + log), "\(log) after \(command)")
    }
    let copy = path + ".copy.sonde"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let run = try Program.run(
      ["query", copy, "notes order title fields title", "--format", "csv"])
    for title in titles { #expect(run.output.contains(title), "\(command): \(run.output)") }
  }
}
