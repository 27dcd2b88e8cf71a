import DataSources
import DataSourcesTesting

/// The kinds of key/value source, by name, for parameterized tests.
struct SourceKind: Sendable, CustomStringConvertible {
  var description: String
  /// Whether a mapper hides the object that a query carries from the base.
  var isMapped = false
  /// Whether a second source on the same folder can read what is written.
  var isLasting = true
  var make: @Sendable (TemporaryFolder) -> any LiveDataSource<Note>

  /// The rows of the contract that apply to it.
  func keeps(_ row: ContractRow) -> Bool {
    !isMapped || row.name != "p8: put nil; the query has the object"
  }
}

extension SourceKind {
  /// The sources. Their file system does not sync, which takes most of a write's time and matters
  /// only in a power failure; `Writing together` tests syncing.
  static let sources: [SourceKind] = [
    SourceKind(description: "memory", isLasting: false) { _ in InMemoryDataSource<Note>() },
    device("flat", .flat),
    device("prefix", .prefix("p")),
    device("table", .table("t")),
    SourceKind(description: "files", isMapped: true) { folder in
      FileSystemStorageDataSource(folder: folder.path, disk: quickDisk).mappedAsJSON(Note.self)
    },
    SourceKind(description: "secrets") { folder in
      let path = folder.file("secrets")
      return SecretDataSource<Note>(
        FileSecretStore(file: StateFile(path: path, privacy: .strict, disk: quickDisk)))
    },
  ]

  private static let quickDisk = FileSystem(isDurable: false)

  private static func device(
    _ name: String, _ layout: DeviceStorageDataSource<Note>.Layout
  ) -> SourceKind {
    SourceKind(description: "device, \(name)") { folder in
      let path = folder.file("state")
      return DeviceStorageDataSource<Note>(
        StateFile(path: path, privacy: .relaxed, disk: quickDisk), layout: layout)
    }
  }

  /// Every wrapper around a source in memory; each must answer like its base.
  static let wrappers = Wrapping<Note>.all.map { wrapping in
    SourceKind(description: wrapping.description, isLasting: false) { _ in
      wrapping.wrap(AnyDataSource(InMemoryDataSource<Note>()))
    }
  }

  static let all = sources + wrappers

  static let lasting = sources.filter(\.isLasting)
}
