import ArgumentParser
import InstaQL
import LiveQueries
import Triples

/// `sonde watch`: prints the answer to a query now and after every change, until interrupted.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print an answer now and after every change.",
    discussion: """
      On a terminal the answer is a table that is redrawn. Elsewhere each line is a JSON object: \
      tx, freshness (and the reason when it is not live), the answer's data, and, after the first \
      line, changes: what was added, removed and changed in each namespace. Changes that arrive faster \
      than they are read are combined. Ends on Ctrl-C, SIGTERM, or when the reader closes the pipe.
      """)

  @Argument(help: ArgumentHelp(StoreLocation.help), completion: .file())
  var store: String

  @Argument(help: "The query; several words are joined with spaces.")
  var query: [String]

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table, ndjson
  }

  @Option(help: "table (on a terminal) or ndjson (elsewhere).")
  var format: Format?

  @Flag(help: "Print the whole answer once, then only what changed.")
  var changes = false

  @Flag(
    help: "Let unknown namespaces and fields match nothing, instead of reporting an error.")
  var lenient = false

  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var live: LiveOptions
  @OptionGroup var tables: TablesOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if changes, format == .table { throw ValidationError("--changes needs --format ndjson.") }
  }

  func run() throws {
    let location = try live.applied(to: tables.applied(to: StoreLocation(store)))
    let text = try SavedQueryText.text(of: query, in: store)
    let format = format ?? (Output.isTerminal && !changes ? .table : .ndjson)
    let ending = try runUntilInterrupted { () async throws(Failure) in
      try await watch(location, text, format)
    }
    ending.endIfInterrupted()
  }

  private func watch(
    _ location: StoreLocation, _ text: String, _ format: Format
  ) async throws(Failure) {
    let bar = ProgressBar()
    defer { bar.end() }
    let store = try await location.open(
      progress: bar.report("Reading " + location.name), tokens: credentials.tokens)
    let schema = lenient ? nil : try await store.snapshotOrFail(SchemaQuery()).store.schema
    bar.end()
    var document: QueryDocument? = try QueryArgument.document(text, for: schema)
    if let document { await store.printTextOrderRemark(for: document) }
    let options = QueryOptions(infersCardinality: !lenient)
    let manager = QueryManager(store: store, options: options)
    var lines = NDJSONWatcher(showsChangesOnly: changes, options: options)
    var screen = LiveTable(options: options)
    var (failure, isAnswered) = (nil as LiveFailure?, false)
    while let shown = document {
      let subscription = await manager.subscribe(to: shown)
      let renewal = Self.renewal(of: shown, text, schema) {
        await manager.unsubscribe(subscription.id)
      }
      defer { renewal.cancel() }
      for await result in subscription.results {
        switch result {
        case .failed(let reason):
          // A query that is rejected before the first answer would be rejected again.
          if reason.kind == .refused, !isAnswered { throw Failure(reason) }
          failure = reason
        case .loaded: (failure, isAnswered) = (nil, true)
        case .loading: failure = nil
        }
        let output: [UInt8]?
        do throws(QueryError) {
          output =
            switch format {
            case .table: try screen.drawing(of: result)
            case .ndjson: try lines.line(for: result)
            }
        } catch {
          throw Failure(error)
        }
        guard let output else { continue }
        // A table already contains its cursor movements, so its output is not sanitized.
        let isRead = try format == .table ? Output.write(output) : Output.show(output)
        guard isRead else { return }
      }
      renewal.cancel()
      document = await renewal.value
    }
    // The subscription has ended.
    if let failure { throw Failure(failure) }
  }

  /// Waits until days or times in the text of a query, such as `today`, have changed, and ends its
  /// subscription. The result is the query to subscribe to next; nil if there is none.
  private static func renewal(
    of document: QueryDocument, _ text: String, _ schema: Schema?,
    ending end: @escaping @Sendable () async -> Void
  ) -> Task<QueryDocument?, Never> {
    Task {
      while let lifetime = QueryDocument.lifetime(ofText: text, schema: schema) {
        do { try await TimerClock().sleep(until: .now + lifetime) } catch { return nil }
        guard let renewed = try? QueryArgument.document(text, for: schema), renewed != document
        else { continue }
        await end()
        return renewed
      }
      return nil
    }
  }
}
