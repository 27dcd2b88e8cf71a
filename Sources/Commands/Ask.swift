import ArgumentParser
import DataSources
import InstaQL
import Stores
import Triples

/// `sonde query`: answers a query, in a chosen format, without a screen.
struct Ask: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Print the answer to a query.",
    discussion: """
      QUERY is text, as in
        sonde query world 'cities filter country.name = "France" order population desc limit 3'
      or InstaQL JSON when it begins with {.
      """)

  @Argument(help: "A demo's name, a folder or a triple dump.")
  var store: String

  @Argument(help: "The query; several words are joined by blanks.")
  var query: [String]

  @Option(help: "table (on a terminal) or json (elsewhere).")
  var format: AnswerFormat?

  func run() throws {
    let location = try StoreLocation(store)
    let snapshot = try waiting { () async throws(Failure) in
      try await Self.snapshot(of: location)
    }
    let document = try QueryText.document(query.joined(separator: " "), for: snapshot.store.schema)
    do throws(QueryError) {
      let bytes = try (format ?? .standard).bytes(of: document, in: snapshot)
      guard Output.write(bytes) else { return }
    } catch {
      throw Failure(error)
    }
  }

  /// Opens a store and takes its present snapshot.
  private static func snapshot(of location: StoreLocation) async throws(Failure) -> StoreSnapshot {
    do {
      return try await location.open().get(AllObjectsQuery())
    } catch let error as StoreError {
      throw Failure(error)
    } catch {
      throw Failure(message: "\(error)", status: ExitStatus.store)
    }
  }
}
