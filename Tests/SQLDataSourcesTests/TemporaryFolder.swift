import FoundationEssentials

/// A folder for one test, gone when the last one who holds it is.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = NSTemporaryFolder.path + "/data-sources-" + UUID().uuidString
  }

  deinit {
    // What cannot be removed is the system's to clean up.
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
  }

  func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: file(name)).map(Array.init)
  }

  func make() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func write(_ text: String, to name: String, mode: Int = 0o600) throws {
    try make()
    try text.write(toFile: file(name), atomically: true, encoding: .utf8)
    try setMode(mode, of: name)
  }

  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
  }

  func mode(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
  }
}

private enum NSTemporaryFolder {
  static let path = FileManager.default.temporaryDirectory.path
}
