import DataSources
import DataSourcesTesting

/// Every key/value source, by name, so that a table of tests can list them.
struct SourceKind: Sendable, CustomStringConvertible {
  var description: String
  var make: @Sendable () throws -> any LiveDataSource<Note>

  init(_ name: String, _ make: @escaping @Sendable () throws -> any LiveDataSource<Note>) {
    description = name
    self.make = make
  }

  static let memory = SourceKind("memory") { InMemoryDataSource<Note>() }
}

extension SourceKind {
  /// The sources themselves.
  static let sources: [SourceKind] = [.memory]
}
