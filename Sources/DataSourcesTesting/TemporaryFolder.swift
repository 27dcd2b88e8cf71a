#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder for one test, gone with all that is in it when the last one who holds it is.
///
/// It does not exist until something is written or ``make()`` is called.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() {
    path =
      FileManager.default.temporaryDirectory.path + "/data-sources-" + UUID().uuidString
  }

  deinit {
    // What cannot be removed is the system's to clean up.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of the file `name` in this folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// What lies in the folder, by name; `[]` when there is no folder.
  public var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
  }

  /// What the file holds; nil when there is none.
  public func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: file(name)).map(Array.init)
  }

  /// Makes the folder.
  public func make() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Writes a file, and the folder if there is none.
  public func write(_ text: String, to name: String, mode: Int = 0o600) throws {
    try make()
    try text.write(toFile: file(name), atomically: true, encoding: .utf8)
    try setMode(mode, of: name)
  }

  /// Sets who may read and write the file `name`; "" is the folder itself.
  public func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
  }

  public func mode(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
  }
}
