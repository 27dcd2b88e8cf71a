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
  /// The sources themselves.
  static let sources: [SourceKind] = [
    SourceKind(description: "memory", isLasting: false) { _ in InMemoryDataSource<Note>() },
    SourceKind(description: "device, flat") { folder in
      DeviceStorageDataSource<Note>(StateFile(path: folder.file("state")))
    },
    SourceKind(description: "device, prefix") { folder in
      DeviceStorageDataSource<Note>(StateFile(path: folder.file("state")), layout: .prefix("p"))
    },
    SourceKind(description: "device, table") { folder in
      DeviceStorageDataSource<Note>(StateFile(path: folder.file("state")), layout: .table("t"))
    },
    SourceKind(description: "files", isMapped: true) { folder in
      FileSystemStorageDataSource(folder: folder.path).mappedAsJSON(Note.self)
    },
    SourceKind(description: "secrets") { folder in
      SecretDataSource<Note>(FileSecretStore(path: folder.file("secrets")))
    },
  ]

  static let lasting = sources.filter(\.isLasting)
}
