import Foundation
import Synchronization

/// A PostgreSQL server of the test run's own, in a temporary folder on a Unix socket. It is started for the
/// first test that needs one, and ends with the process, however that ends.
package final class PostgresServer: Sendable {
  /// The folder of the socket.
  package let folder: String
  private let programs: String
  private let databases = Mutex(0)
  private static let user = "sonde"

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether tests that need a server run: with `SONDE_TEST_POSTGRES` in the environment, as
  /// `make test-postgres` sets it.
  package static let isTested = ProcessInfo.processInfo.environment["SONDE_TEST_POSTGRES"] != nil

  /// The server of this process.
  package static func running() throws -> PostgresServer { try started.get() }

  private static let started = Result { try PostgresServer() }

  private init() throws {
    programs = try Self.findPrograms()
    folder = try Self.makeFolder()
    try Self.run(
      "/bin/sh", ["-c", Self.start(programs, folder)], input: nil, isDetached: true)
    try waitUntilReady()
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

  /// The server runs as long as the standard input of its shell is open, which the test run holds.
  private static func start(_ programs: String, _ folder: String) -> String {
    let other = getuid() == 0 ? "setpriv --reuid=nobody --regid=nogroup --clear-groups " : ""
    return """
      cd \(folder) || exit 1
      \(other)\(programs)/initdb -D \(folder)/data -U \(user) -A trust -E UTF8 --locale=C.UTF-8 \
      --no-sync >\(folder)/initdb.log 2>&1 || exit 1
      \(other)\(programs)/postgres -D \(folder)/data -k \(folder) -c listen_addresses='' \
      -c fsync=off -c full_page_writes=off -c max_connections=200 -c log_statement=all \
      -c log_line_prefix='%d ' -c wal_level=logical >\(folder)/server.log 2>&1 </dev/null &
      server=$!
      read line
      kill -QUIT $server
      wait $server
      rm -rf \(folder)
      """
  }

  private func waitUntilReady() throws {
    let deadline = Date().addingTimeInterval(60)
    while Date() < deadline {
      if (try? psql("SELECT 1", in: "postgres")) != nil { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    let log = (try? String(contentsOfFile: folder + "/initdb.log", encoding: .utf8)) ?? ""
    throw Failure(description: "PostgreSQL did not start within 60 s. \(log)")
  }

  // MARK: Databases

  /// A new database with these tables, and its address.
  package func database(_ sql: String = "", as owner: String = user) throws -> TestPostgres {
    let number = databases.withLock { number in
      number += 1
      return number
    }
    let name = "test_\(number)"
    try psql("CREATE DATABASE \(name)", in: "postgres")
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

  /// What the server wrote into its log of one database.
  package func log(of database: String) throws -> [String] {
    try String(contentsOfFile: folder + "/server.log", encoding: .utf8)
      .split(separator: "\n").filter { $0.hasPrefix(database + " ") }.map(String.init)
  }

  @discardableResult
  private static func run(
    _ program: String, _ arguments: [String], input: String?, isDetached: Bool = false
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    if isDetached {
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      held.withLock { $0.append(standardInput) }
      return ""
    }
    process.standardOutput = output
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

  /// As long as they are open the server runs.
  private static let held = Mutex<[Pipe]>([])
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

  /// The statements that reached the server.
  package func log() throws -> [String] { try server.log(of: name) }
}
