import ArgumentParser
import Stores

/// The option `--live`, which determines how changes in PostgreSQL databases are detected.
struct LiveOptions: ParsableArguments {
  @Option(
    name: .customLong("live"),
    help: ArgumentHelp(
      "How changes in PostgreSQL databases are detected: auto (by triggers or polling) or decode "
        + "(by logical decoding).", valueName: "method"))
  var method: LiveMethod?

  /// Returns a location with the method set; unchanged if none was given.
  func applied(to location: StoreLocation) throws(Failure) -> StoreLocation {
    guard let method else { return location }
    return try method.applied(to: [location])[0]
  }
}

/// A way to detect changes in PostgreSQL databases.
enum LiveMethod: String, CaseIterable, ExpressibleByArgument {
  case auto, decode

  /// Returns the locations with the method set on those of PostgreSQL databases.
  ///
  /// - Throws: A failure if there is no such database.
  func applied(to locations: [StoreLocation]) throws(Failure) -> [StoreLocation] {
    var isUsed = false
    let located = locations.map { location in
      guard case .postgres(var parameters) = location else { return location }
      isUsed = true
      parameters.liveMode = self == .decode ? .decoding() : .automatic
      return .postgres(parameters)
    }
    guard isUsed else { throw Failure.needsPostgres("--live") }
    return located
  }
}
