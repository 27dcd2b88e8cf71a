import ArgumentParser
import InstaQL
import LiveQueries
import Stores
import Triples

/// `sonde query`: prints the answer to a query in a chosen format.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Print the answer to a query.",
    discussion: """
      QUERY is text, for example
        sonde query world 'cities filter country.name = "France" order population desc limit 3'
      or InstaQL JSON when it begins with {. @NAME is a query saved in the explorer, @./FILE \
      a query in a file. With - each line of standard input is a query, and each answer a line of JSON.
      """)

  @Argument(help: ArgumentHelp(StoreLocation.help), completion: .file())
  var store: String

  @Argument(
    help:
      "The query, or - to read one query per line from standard input; several words are joined with spaces."
  )
  var query: [String]

  @Option(
    help: "Output format; default: table on a terminal, json in a pipe.")
  var format: AnswerFormat?

  @Flag(
    help: "Let unknown namespaces and fields match nothing, instead of reporting an error.")
  var lenient = false

  @Flag(help: "Print the query plan with row counts and times.")
  var explain = false

  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var tables: TablesOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let location = try tables.applied(to: StoreLocation(store))
    let text = try SavedQueryText.text(of: query, in: store)
    let store = try ProgressBar.during(location) { progress async throws(Failure) in
      try await location.open(
        access: .readOnly, progress: progress, tokens: credentials.tokens)
    }
    defer { try? waiting { () async throws(Failure) in await store.disconnect() } }
    let known = try waiting { () async throws(Failure) in
      try await store.snapshotOrFail(SchemaQuery())
    }
    if query == ["-"] { return try answerLines(of: store, in: known) }
    let document = try QueryArgument.document(text, for: lenient ? nil : known.store.schema)
    try waiting { () async throws(Failure) in await store.printTextOrderRemark(for: document) }
    let format = format ?? .standard
    let options = QueryOptions(infersCardinality: !lenient)
    if !explain, let streamed = StreamedAnswer(document, of: store, as: format, options),
      try streamed.write()
    {
      return Self.explainEmptyAnswer(to: document, of: store, known.store.schema)
    }
    let snapshot = try waiting { () async throws(Failure) in
      try await store.answerOrFail(document, as: format, explains: explain)
    }
    let bytes: [UInt8]
    do throws(QueryError) {
      bytes =
        explain
        ? try format.explanation(of: document, in: snapshot)
        : try format.bytes(
          of: document, in: snapshot, options: options, hasLinks: store.hasLinks(snapshot))
    } catch {
      throw Failure(error)
    }
    // If the reader closed standard output, there is nothing left to do or to report.
    _ = try Output.show(bytes)
    Self.explainEmptyAnswer(to: document, of: store, known.store.schema)
    if !location.isPast { try snapshot.freshness.printRemark() }
  }

  /// Prints names that explain why the answer is empty.
  ///
  /// The query requires these names of linked entities, but no linked entity has them.
  private static func explainEmptyAnswer(
    to document: QueryDocument, of store: any StoreDataSource, _ schema: Schema
  ) {
    for plan in document.plans {
      // The answer is complete, so a failure of this additional query is ignored.
      let missing = try? waiting { () async throws(Failure) in
        try await MissingName.first(of: plan, in: schema) { plan async throws(Failure) in
          try await store.completeAnswer(to: plan)
        }
      }
      if let missing = missing ?? nil { StandardError.write(missing.sentence) }
    }
  }

  private func answerLines(
    of store: any StoreDataSource, in known: StoreSnapshot
  ) throws(Failure) {
    var lines = BatchQueries(store: store, known: known, isLenient: lenient)
    let wrong = try lines.run()
    guard wrong > 0 else { return try lines.lastOld?.printRemark() ?? () }
    if let remark = lines.lastOld?.remark { StandardError.write(remark) }
    throw Failure.queriesFailed(wrong)
  }
}

extension StoreSnapshot.Freshness {
  /// A remark that the answer may be out of date; nil if the answer is current.
  var remark: String? {
    switch self {
    case .live, .optimistic, .connecting: nil
    case .loading: "Only the beginning of the data was loaded."
    case .stale(let reason): "The data may be out of date: \(reason)."
    case .archived:
      "The server has not answered. This is the last known state."
    case .offline(_, _, let reason):
      "The server is unreachable (\(reason)). This is the last known state."
    }
  }

  /// Prints the remark after the answer.
  ///
  /// - Throws: A failure that ends the program if the store is unreachable.
  func printRemark() throws(Failure) {
    guard let remark else { return }
    switch self {
    case .live, .optimistic, .connecting, .stale: StandardError.write(remark)
    case .loading, .archived, .offline: throw Failure(message: remark, status: ExitStatus.store)
    }
  }
}
