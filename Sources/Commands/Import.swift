import ArgumentParser
import DataSources
import LiveQueries
import Stores
import Triples

/// `sonde import`: takes files over into a store of our own.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Take data over into a .sonde store.",
    discussion: """
      SOURCE is a folder of .json, .jsonl, .csv and .tsv files, one such file, a triple dump, a backup zip \
      of an Instant app, a SQLite database, or another .sonde store; several are put together. Of a \
      database NULLs are left out: a store keeps a row for each value that is there, and no query tells \
      the two apart. A foreign key becomes a link, and stays a value where it leads nowhere; rules of the \
      database do not come along. A store that is there gets \
      what is new and keeps what it has: entities with the same id become one. All of it is taken \
      over or nothing.
      """)

  @Argument(help: "What to take over.", completion: .file())
  var sources: [String]

  @Option(help: "The .sonde store; it is made when there is none.", completion: .file())
  var into: String

  @Flag(help: "Put a new store in the place of the one that is there.")
  var force = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    guard case .storeFile(let path) = try StoreLocation(into, mayBeNew: true) else {
      throw Failure(
        message: "--into names a .sonde file, not \(into).", status: ExitStatus.usage)
    }
    let bar = ProgressBar()
    defer { bar.end() }
    let ending = try waitingForEnd(.goOn) { () async throws(Failure) in
      do throws(StoreError) {
        return try await take(into: path, bar)
      } catch {
        bar.end()
        throw Failure(error)
      }
    }
    bar.end()
    ending.endIfInterrupted()
    guard case .finished(let report) = ending else { return }
    _ = try Output.show(Array((try report.get() + "\n").utf8))
  }

  /// What was taken over, in a line.
  private func take(
    into path: String, _ bar: ProgressBar
  ) async throws(StoreError) -> Result<String, Failure> {
    var merged = TripleStore()
    for source in sources {
      let name = StoreLocation.demoFolder(source) ?? source
      let content = try await FileSource.load(
        name, progress: bar.report("Reading " + Files.name(of: source)))
      if sources.count == 1 {
        merged = content
      } else if let fault = Self.merge(content, into: &merged) {
        return .failure(
          Failure(message: "\(source): \(fault)", status: ExitStatus.question))
      }
    }
    let content = WholeStore(merged, attachments: try await Self.attachments(of: sources))
    let writing = bar.report("Writing " + Files.name(of: path))
    if force, Files.kind(of: path) == .file {
      try await Replacement(path).make { draft async throws(StoreError) in
        try await LocalStore.create(file: draft, of: content, progress: writing)
      }
    } else if Files.kind(of: path) == nil {
      try await LocalStore.create(file: path, of: content, progress: writing)
    } else {
      let store = try await LocalStore.open(file: path, progress: writing)
      if let failure = await Self.add(merged, to: store) { return .failure(failure) }
      if let remark = try await Self.add(content.attachments, to: store) {
        bar.end()
        StandardError.write(remark)
      }
      await store.close()
    }
    let count = merged.schema.namespaces.reduce(0) { $0 + merged.count(of: $1) }
    return .success(
      "\(count) entities in \(merged.schema.namespaces.count) namespaces into \(path)")
  }

  private static func add(_ content: TripleStore, to store: LocalStore) async -> Failure? {
    do throws(ImportError) {
      let transaction = try Transaction(importing: content, into: store.snapshot().store)
      do throws(DataSourceError) {
        try await store.put(nil, in: TransactionQuery(transaction))
        return nil
      } catch {
        return Failure(error)
      }
    } catch {
      return Failure(message: error.message, status: ExitStatus.question)
    }
  }

  /// Why one content cannot be added to the other; nil when it was.
  private static func merge(_ content: TripleStore, into merged: inout TripleStore) -> String? {
    do {
      try merged.transact(Transaction(importing: content, into: merged))
      return nil
    } catch let error as ImportError {
      return error.message
    } catch let error as TransactionError {
      return error.message
    } catch {
      return "\(error)"
    }
  }
}
