import ArgumentParser
import Stores

/// The option `--live`, which determines how changes in PostgreSQL databases are detected.
struct LiveOptions: ParsableArguments {
  enum Method: String, CaseIterable, ExpressibleByArgument {
    case auto, decode
  }

  @Option(
    name: .customLong("live"),
    help: ArgumentHelp(
      "How changes in PostgreSQL databases are detected: auto (by triggers or polling) or decode "
        + "(by logical decoding).", valueName: "method"))
  var method: Method?

  /// Returns the locations with the method set on those of PostgreSQL databases.
  func applied(to locations: [StoreLocation]) throws(Failure) -> [StoreLocation] {
    guard let method else { return locations }
    var isUsed = false
    let located = locations.map { location in
      guard case .postgres(var parameters) = location else { return location }
      isUsed = true
      parameters.liveMode = method == .decode ? .decoding() : .automatic
      return .postgres(parameters)
    }
    guard isUsed else {
      throw Failure(
        message: "--live needs a PostgreSQL database: postgres://HOST/DATABASE.",
        status: ExitStatus.usage)
    }
    return located
  }

  /// Returns a location with the method set.
  func applied(to location: StoreLocation) throws(Failure) -> StoreLocation {
    try applied(to: [location])[0]
  }
}
