#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder for one test. The folder and its content are deleted together with this object.
///
/// The folder at ``path`` does not exist until ``write(_:to:mode:)`` or ``make()`` creates it. Keep
/// the object in a property of the suite, so that it lives as long as the test.
public final class TemporaryFolder: Sendable {
  /// The absolute path of the folder, in the system's folder for temporary files.
  public let path: String

  /// Creates a path with a new name.
  public init() {
    path =
      FileManager.default.temporaryDirectory.path + "/data-sources-" + UUID().uuidString
  }

  deinit {
    // If the folder cannot be removed, the system removes it at some time.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of the file `name` in this folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// The sorted names in the folder; `[]` when it does not exist.
  public var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
  }

  /// Returns the content of the file `name`; nil when it does not exist.
  public func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: file(name)).map(Array.init)
  }

  /// Creates the folder.
  public func make() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Writes a file and creates the folder if necessary.
  public func write(_ text: String, to name: String, mode: Int = 0o600) throws {
    try make()
    try text.write(toFile: file(name), atomically: true, encoding: .utf8)
    try setMode(mode, of: name)
  }

  /// Sets the permissions of the file `name`. An empty name stands for the folder itself.
  public func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
  }

  /// Returns the permissions of the file `name`; nil if the system does not report them.
  public func mode(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
  }
}
