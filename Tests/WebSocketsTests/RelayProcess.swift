import Foundation
import Sync
import Triples
import WebSockets

/// A `sonde serve` process that relays another server.
final class RelayProcess: Sendable {
  let port: Int
  private let process: Process
  private let folder: URL

  /// It did not say where it listens.
  struct Silence: Error {
    let line: String
  }

  /// - Parameter authority: A file of the authority that the other server's certificate is from.
  init(to address: ServerAddress, authority: String, access: AccessRule) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: EntityID.random().text)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process = Process()
    process.executableURL = Self.program
    process.arguments = ["serve", "\(address)", "--port", "0"]
    if access.allowsWriting { process.arguments?.append("--write") }
    if let token = access.token {
      let file = folder.appending(path: "token").path
      try Data(token.utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      process.arguments? += ["--token-file", file]
    }
    process.environment = ProcessInfo.processInfo.environment.merging([
      "SSL_CERT_FILE": authority, "XDG_STATE_HOME": folder.path, "SONDE_TOKEN": "",
    ]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n"),
      let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty
    {
      line += byte
    }
    let text = String(decoding: line, as: UTF8.self)
    let place = text.split(separator: " ").first { $0.hasPrefix("ws://") }
    let port = place?.dropFirst("ws://".count).prefix { $0 != "/" }.split(separator: ":").last
    guard let port = port.flatMap({ Int($0) }) else { throw Silence(line: text) }
    self.port = port
  }

  /// The program next to the tests.
  private static var program: URL {
    let built = Bundle.main.bundleURL
    let checkout = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let places = [
      built, built.deletingLastPathComponent(), checkout.appending(path: ".build/debug"),
    ].map { $0.appending(path: "sonde") }
    return places.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? places[2]
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    // What is left is temporary in any case.
    try? FileManager.default.removeItem(at: folder)
  }
}
