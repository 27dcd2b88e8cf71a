import DataSources
import DataSourcesTesting

/// Every key/value source, by name, so that a table of tests can list them.
struct SourceKind: Sendable, CustomStringConvertible {
  var description: String
  /// Whether objects pass a mapper, which hides from the base an object that a query carries.
  var isMapped = false
  /// Whether what is written can be read by a second source on the same folder.
  var isLasting = true
  var make: @Sendable (TemporaryFolder) -> any LiveDataSource<Note>

  /// The rows of the contract that hold for it.
  func keeps(_ row: ContractRow) -> Bool {
    !isMapped || row.name != "p8 put object, from the query"
  }
}

extension SourceKind {
  /// The sources themselves. Their disk does not wait for the metal, which takes most of a write's
  /// time and is seen by nobody but a cut of power; `Writing together` tries it as it is.
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

  private static let quickDisk = Disk(isDurable: false)

  private static func device(
    _ name: String, _ layout: DeviceStorageDataSource<Note>.Layout
  ) -> SourceKind {
    SourceKind(description: "device, \(name)") { folder in
      let path = folder.file("state")
      return DeviceStorageDataSource<Note>(
        StateFile(path: path, privacy: .relaxed, disk: quickDisk), layout: layout)
    }
  }

  /// Every wrapper around a source in memory: each must answer as what it wraps.
  static let wrappers = Wrapping<Note>.all.map { wrapping in
    SourceKind(description: wrapping.description, isLasting: false) { _ in
      wrapping.wrap(AnyDataSource(InMemoryDataSource<Note>()))
    }
  }

  static let all = sources + wrappers

  static let lasting = sources.filter(\.isLasting)
}
