import ArgumentParser
import Stores

/// The option `--tables`, which opens the database of an Instant server as ordinary tables.
struct TablesOptions: ParsableArguments {
  @Flag(
    name: .customLong("tables"),
    help: "Open the database of an Instant server as tables, not as one of its apps.")
  var opensTables = false

  /// Returns a location with the option set; unchanged if it was not given.
  func applied(to location: StoreLocation) throws(Failure) -> StoreLocation {
    opensTables ? try Self.openingTables([location])[0] : location
  }

  /// Returns the locations with the option set on those of PostgreSQL databases.
  ///
  /// - Throws: A failure if there is no such database.
  static func openingTables(_ locations: [StoreLocation]) throws(Failure) -> [StoreLocation] {
    var isUsed = false
    let located = locations.map { location in
      guard case .postgres(var parameters) = location else { return location }
      isUsed = true
      parameters.opensTables = true
      return .postgres(parameters)
    }
    guard isUsed else { throw Failure.needsPostgres("--tables") }
    return located
  }
}
