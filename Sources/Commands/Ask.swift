import ArgumentParser
import DataSources
import InstaQL
import LiveQueries
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
      or InstaQL JSON when it begins with {. With - each line of standard input is a query, and each \
      answer a line of JSON.
      """)

  @Argument(help: "A demo's name, a folder or a triple dump.")
  var store: String

  @Argument(help: "The query, or - for one a line; several words are joined by blanks.")
  var query: [String]

  @Option(help: "table (on a terminal) or json (elsewhere).")
  var format: AnswerFormat?

  @Flag(help: "Let unknown names match nothing, as a client without a schema does.")
  var lenient = false

  @Flag(help: "Print how the query is answered, with row counts and times.")
  var explain = false

  func run() throws {
    let location = try StoreLocation(store)
    let snapshot = try waiting { () async throws(Failure) in
      try await Self.snapshot(of: location)
    }
    if query == ["-"] {
      try LineAnswers(store: snapshot.store, isLenient: lenient).run()
      return
    }
    let schema = snapshot.store.schema
    let document = try QueryText.document(
      query.joined(separator: " "), for: lenient ? nil : schema)
    let bytes: [UInt8]
    do throws(QueryError) {
      let format = format ?? .standard
      let options = QueryOptions(infersCardinality: !lenient)
      bytes =
        explain
        ? try format.explanation(of: document, in: snapshot.store)
        : try format.bytes(of: document, in: snapshot, options: options)
    } catch {
      throw Failure(error)
    }
    // Where nobody reads any more there is nothing left to do, and nothing to complain of.
    _ = try Output.write(bytes)
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
