#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Stores secrets in a file with mode 0600. Reading fails when other users can read the file.
///
/// The secrets are not encrypted. The file protects them from other users, and keeps them out of
/// the shell's history, but does not protect them from this user's programs.
public struct FileSecretStore: SecretStore {
  private let file: StateFile

  /// Creates a store of the secrets in the file at `path`. The first write creates the file.
  /// - Parameter clock: The clock for waiting while another process holds the lock.
  public init(path: String, clock: some Clock<Duration> = ContinuousClock()) {
    self.init(file: StateFile(path: path, privacy: .strict, clock: clock))
  }

  package init(file: StateFile) {
    self.file = file
  }

  public var changes: ChangeSignal { file.changes }

  /// Returns the secret under each of `keys`; nil for a missing one.
  ///
  /// - Throws: `secretStore` if other users can read the file; `dataSerialization` if it is damaged.
  public func secrets(at keys: [String]) async throws(DataSourceError) -> [[UInt8]?] {
    let content = try await file.read()
    var secrets: [[UInt8]?] = []
    for key in keys {
      switch try content.entry(at: place(of: key), of: Data.self, path: file.path) {
      case .one(let data): secrets.append(Array(data))
      case .many, nil: secrets.append(nil)
      }
    }
    return secrets
  }

  public func keys() async throws(DataSourceError) -> [String] {
    try await file.read().lines.map(\.place.key)
  }

  /// Writes all secrets in one replacement of the file. A nil value removes the secret.
  public func write(_ secrets: [String: [UInt8]?]) async throws(DataSourceError) {
    var edits: [StateContent.Edit] = []
    for (key, secret) in secrets {
      if let secret {
        edits.append(try .setting(.one(Data(secret)), at: place(of: key)))
      } else {
        edits.append(.remove(place(of: key)))
      }
    }
    try await file.update(edits)
  }

  private func place(of key: String) -> StateContent.Place {
    StateContent.Place(table: nil, key: key)
  }
}
