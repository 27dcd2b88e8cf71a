import Foundation
import Synchronization

/// A PostgreSQL server of the test run's own, in a temporary folder on a Unix socket. It is started for the
/// first test that needs one, and ends with the process, however that ends.
package final class PostgresServer: Sendable {
  /// The folder of the socket.
  package let folder: String
  private let programs: String
  private let databases = Mutex(0)
  /// Runs as long as this process, and with it the server.
  private let shell: Mutex<Shell>
  private static let user = "sonde"
  /// The only role that must log in with a password. Tests create it.
  package static let lockedUser = "locked"

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Why tests that need a server do not run here, in a sentence; nil where they do. With
  /// `SONDE_TEST_POSTGRES=0` in the environment they never run, with 1 always.
  package static let obstacle: String? = {
    switch ProcessInfo.processInfo.environment["SONDE_TEST_POSTGRES"] {
    case "0": return "SONDE_TEST_POSTGRES is 0."
    case "1": return nil
    default: break
    }
    guard (try? findPrograms()) != nil else {
      return "There is no PostgreSQL here: 'make setup-tests' installs it."
    }
    guard getuid() == 0 else { return nil }
    return getpwnam("nobody") != nil && isProgram("setpriv")
      ? nil : "PostgreSQL does not run as root, and there is no user nobody or no setpriv."
  }()

  private static func isProgram(_ name: String) -> Bool {
    ["/usr/bin/", "/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
  }

  /// The server of this process.
  package static func running() throws -> PostgresServer { try started.get() }

  private static let started = Result { try PostgresServer() }

  /// Another server, for tests that stop it; it ends with the process.
  ///
  /// - Parameter settings: Settings that replace the usual ones.
  package static func another(_ settings: [String: String] = [:]) throws -> PostgresServer {
    try PostgresServer(settings)
  }

  private init(_ settings: [String: String] = [:]) throws {
    programs = try Self.findPrograms()
    folder = try Self.makeFolder()
    let shell = try Shell(Self.start(programs, folder, settings))
    let words = try shell.line()
    self.shell = Mutex(shell)
    guard words == "ready" else {
      let log = ["initdb", "start", "server"].map { name in
        (try? String(contentsOfFile: "\(folder)/\(name).log", encoding: .utf8)) ?? ""
      }
      throw Failure(description: "PostgreSQL did not start. \(log.joined(separator: "\n"))")
    }
  }

  private static func findPrograms() throws -> String {
    let versions =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let folders =
      versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "/usr/lib/postgresql/\($0)/bin" } + [
        "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin",
      ]
    guard
      let found = folders.first(where: {
        FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
      })
    else { throw Failure(description: "There is no PostgreSQL here: run 'make setup-tests'.") }
    return found
  }

  /// Short, as the paths of sockets must be.
  private static func makeFolder() throws -> String {
    let folder = "/tmp/sonde-pg-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    if getuid() == 0 {
      guard let owner = getpwnam("nobody") else { throw Failure(description: "No user nobody.") }
      chown(folder, owner.pointee.pw_uid, owner.pointee.pw_gid)
    }
    return folder
  }

  /// What runs the server's programs: root may not.
  private static var asOther: String {
    getuid() == 0 ? "setpriv --reuid=nobody --regid=nogroup --clear-groups " : ""
  }

  /// The server runs as long as the standard input of its shell is open, which the test run holds.
  private static func start(
    _ programs: String, _ folder: String, _ settings: [String: String]
  ) -> String {
    let starting = starting(folder, settings)
    return """
      cd \(folder) || exit 1
      \(asOther)\(programs)/initdb -D \(folder)/data -U \(user) -A trust -E UTF8 --locale=C.UTF-8 \
      --no-sync >\(folder)/initdb.log 2>&1 || { echo failed; exit 1; }
      { echo local all \(lockedUser) scram-sha-256; cat data/pg_hba.conf; } >hba.conf
      cat hba.conf >data/pg_hba.conf
      \(pgctl(programs, folder)) \(starting) \
      >\(folder)/start.log 2>&1 || { echo failed; exit 1; }
      echo ready
      while read word; do
        case $word in
        stop) \(pgctl(programs, folder)) -m fast stop ;;
        start) \(pgctl(programs, folder)) \(starting) ;;
        esac >\(folder)/start.log 2>&1
        echo done
      done
      \(pgctl(programs, folder)) -m immediate stop >/dev/null 2>&1
      rm -rf \(folder)
      """
  }

  private static func pgctl(_ programs: String, _ folder: String) -> String {
    "\(asOther)\(programs)/pg_ctl -D \(folder)/data -w -t 60"
  }

  private static func starting(_ folder: String, _ settings: [String: String]) -> String {
    "-l \(folder)/server.log -o \"-k \(folder) -c listen_addresses='' -c fsync=off "
      + "-c full_page_writes=off -c max_connections=200 -c log_statement=all "
      + "-c log_line_prefix='%d ' -c wal_level=logical -c password_encryption=scram-sha-256"
      + settings.map { " -c \($0)=\($1)" }.sorted().joined() + "\" start"
  }

  /// Stops the server as an administrator does: sessions end.
  package func stop() throws { try tell("stop") }

  /// Starts it again, after ``stop()``.
  package func startAgain() throws { try tell("start") }

  private func tell(_ word: String) throws {
    try shell.withLock { shell in
      try shell.write(word)
      guard try shell.line() == "done" else { throw Failure(description: "The server is gone.") }
    }
  }

  // MARK: Databases

  /// A new database with these tables, and its address.
  package func database(
    _ sql: String = "", as owner: String = user, options: String = ""
  ) throws -> TestPostgres {
    let number = databases.withLock { number in
      number += 1
      return number
    }
    let name = "test_\(number)"
    try psql("CREATE DATABASE \(name) \(options)", in: "postgres")
    let database = TestPostgres(server: self, name: name)
    if !sql.isEmpty { try database.run(sql) }
    return database
  }

  /// Carries statements out as the owner of the server, and gives what psql prints.
  @discardableResult
  func psql(_ sql: String, in database: String) throws -> String {
    try Self.run(
      programs + "/psql",
      [
        "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", Self.user, "-d",
        database, "-f", "-",
      ], input: sql)
  }

  /// What the server wrote into its log of one database, each entry in one text.
  package func log(of database: String) throws -> [String] {
    var entries: [String] = []
    let text = try String(contentsOfFile: folder + "/server.log", encoding: .utf8)
    // A tab goes before each further line of an entry.
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("\t"), let last = entries.popLast() {
        entries.append(last + "\n" + line.dropFirst())
      } else {
        entries.append(line)
      }
    }
    return entries.filter { $0.hasPrefix(database + " ") }
  }

  @discardableResult
  private static func run(
    _ program: String, _ arguments: [String], input: String?
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    // A statement that waits for a lock of a store fails instead of waiting forever.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["PGOPTIONS": "-c lock_timeout=60s"]) { $1 }
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (standardInput, output)
    process.standardError = errors
    try process.run()
    if let input {
      try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    }
    try standardInput.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: words) }
    return text.trimmingCharacters(in: .newlines)
  }
}

/// A shell that runs as long as this process holds it: the server that it starts has its open files, so that
/// nothing may wait for them to be closed.
private struct Shell: ~Copyable {
  private let input = Pipe()
  private let output = Pipe()

  init(_ script: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script]
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func write(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// The next line that it prints; empty at the end.
  func line() throws -> String {
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }
}

/// A database of a test's own.
package struct TestPostgres: Sendable {
  package let server: PostgresServer
  package let name: String

  /// - Parameter user: Who opens it.
  package func address(user: String = "sonde") -> String {
    let folder = server.folder.replacingOccurrences(of: "/", with: "%2F")
    return "postgres://\(user)@\(folder)/\(name)"
  }

  /// Carries statements out behind a store's back.
  @discardableResult
  package func run(_ sql: String) throws -> String { try server.psql(sql, in: name) }

  /// What the server wrote into its log.
  package func log() throws -> [String] { try server.log(of: name) }

  /// The texts of the statements that reached the server, without their values.
  package func statements() throws -> [String] {
    try log().compactMap { entry in
      for mark in ["LOG:  statement: ", "LOG:  execute <unnamed>: "] {
        if let found = entry.range(of: mark) { return String(entry[found.upperBound...]) }
      }
      return nil
    }
  }
}
