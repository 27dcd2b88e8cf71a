import Foundation
import PostgresTestSupport
@testable import Stores
import Testing

@Suite("A connection to PostgreSQL", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresConnectionTests {
  @Test("a task that is canceled between two statements does not send the second one")
  func canceling() async throws {
    let database = try PostgresServer.running().database()
    let connection = try PostgresConnection(PostgresParameters(database.address()))
    let task = Task {
      try await connection.read(isSnapshot: true) { session in
        _ = try session.rows("SELECT 'first' LIMIT 1")
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try session.rows("SELECT 'second' LIMIT 1")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let statements = try database.statements()
    #expect(statements.contains("SELECT 'first' LIMIT 1"))
    #expect(!statements.contains("SELECT 'second' LIMIT 1"))
    let answer = try await connection.read { session in
      let rows = try session.rows("SELECT 'third' LIMIT 1")
      return try rows.step() ? rows.text(0) : ""
    }
    #expect(answer == "third")
  }

  @Test("a server that never answers is reported after the connect_timeout of the address")
  func silence() async throws {
    let folder = "/tmp/sonde-silent-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let socket = try Self.openSocket(at: folder + "/.s.PGSQL.5432")
    defer { close(socket) }
    let path = folder.replacingOccurrences(of: "/", with: "%2F")
    let error = await #expect(throws: StoreError.self) {
      _ = try await PostgresStore.open(
        PostgresParameters("postgres://ann@\(path)/shop?connect_timeout=2"))
    }
    #expect(
      error?.message.contains("the server did not answer within 2 s") == true,
      "\(error?.message ?? "")")
  }

  /// Opens a socket that lets clients connect, and never reads from it.
  private static func openSocket(at path: String) throws -> Int32 {
    #if canImport(Glibc)
      let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let socket = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(socket, 8) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    return socket
  }
}
