import ArgumentParser
import DataSources
import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `sonde import`: imports files, folders, databases and stores into a .sonde store.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import data into a .sonde store.",
    discussion: """
      SOURCE is a folder of .json, .jsonl, .csv and .tsv files, one such file, a triple dump, a backup zip \
      of an Instant app, a SQLite database, another .sonde store, or - for standard input; several are \
      combined. An import is atomic: all of it, or nothing.

      An existing store keeps its entities. An imported entity with the id or key of an existing one \
      updates it. Rows without an id or a key are identified by their content: importing a file again \
      changes nothing, but equal rows of two files stay separate. --update-by matches rows by a column \
      instead: a row updates the entity with the same value, a row without a value is new, and a row is \
      skipped if several entities have its value.

      Rows that cannot be read are listed with file and line, and the others are imported.

      NULLs of a database are imported as missing values; no query can tell the two apart. Foreign keys \
      become links; one without a target stays a plain value. Constraints and triggers are not \
      imported.
      """)

  @Argument(help: "Files, folders, databases or stores to import.", completion: .file())
  var sources: [String]

  @Option(
    help: ArgumentHelp("The .sonde store; it is created if necessary.", valueName: "store"),
    completion: .file())
  var into: String

  @Option(
    help: ArgumentHelp(
      "The column that identifies existing entities, so that imported rows update them.",
      valueName: "column"))
  var updateBy: String?

  @Option(
    name: .customLong("null"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Read CSV fields with this text as missing values; may be given several times.",
      valueName: "text"))
  var nullTexts: [String] = []

  @Flag(help: "Fail if any part of the sources cannot be read.")
  var strict = false

  @Flag(help: "Print what would be imported, and write nothing.")
  var dryRun = false

  @Flag(help: "Replace the existing store.")
  var force = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    guard Files.kind(of: into) != nil || FileKind(into) == .store,
      case .storeFile(let path) = try StoreLocation(into, mayBeNew: true)
    else {
      throw Failure.importTarget(into)
    }
    try checkSources()
    let readsInput = sources.contains(PipedInput.address)
    let bar = ProgressBar()
    defer { bar.end() }
    let input =
      readsInput
      ? try InputFile(PipedInput.address).bytes(bar.report("Reading standard input")) : []
    let ending = try runUntilInterrupted(.goOn) { () async throws(Failure) in
      do throws(StoreError) {
        return try await importData(into: path, input, bar)
      } catch {
        bar.end()
        throw Failure(error)
      }
    }
    bar.end()
    ending.endIfInterrupted()
    guard case .finished(let result) = ending else { return }
    _ = try Output.show(Array((try result.get() + "\n").utf8))
  }

  /// Throws an error if a source is a PostgreSQL database or a server.
  private func checkSources() throws(Failure) {
    for source in sources where Files.kind(of: source) == nil {
      switch try? StoreLocation(source) {
      case .postgres?, .server?: throw Failure.importSource(source)
      default: break
      }
    }
  }

  /// Imports the data and returns a summary of one or more lines.
  private func importData(
    into path: String, _ input: [UInt8], _ bar: ProgressBar
  ) async throws(StoreError) -> Result<String, Failure> {
    let isNew = Files.kind(of: path) == nil || force
    if let refusal = Self.refusal(toWrite: path) { throw refusal }
    let store = isNew ? nil : try await open(path, bar)
    do throws(ImportFault) {
      let known = store?.snapshot().store
      let content = try await read(input, into: known, bar)
      let plan = try content.plan(into: known, updateBy: updateBy)
      let summary = ImportSummary(plan, content.store, path, isDryRun: dryRun).text
      bar.end()
      for remark in plan.remarks { StandardError.write(remark) }
      if !dryRun {
        try await write(content, plan, into: store, path, bar)
      } else if let known {
        try Self.rehearse(plan, on: known)
      }
      await store?.close()
      return .success(summary)
    } catch {
      await store?.close()
      switch error {
      case .store(let error): throw error
      case .failure(let failure): return .failure(failure)
      }
    }
  }

  private func open(_ path: String, _ bar: ProgressBar) async throws(StoreError) -> LocalStore {
    try await LocalStore.open(
      file: path, access: dryRun ? .readOnly : .readWrite,
      progress: bar.report("Reading " + Files.name(of: path)))
  }

  /// Reads the sources and combines them.
  private func read(
    _ input: [UInt8], into known: TripleStore?, _ bar: ProgressBar
  ) async throws(ImportFault) -> ImportedContent {
    var content = ImportedContent()
    var read: Set<String> = []
    var report = ReadReport()
    for source in sources {
      // A source that is named twice is only read once.
      guard read.insert(Files.resolved(source)).inserted else { continue }
      let options = DatasetOptions(
        isStrict: strict, identity: .content(earlier: content.store), missingTexts: nullTexts,
        firstTime: content.firstTime(in: known ?? TripleStore()))
      let reading = try await Self.read(source, input, options, bar)
      report.add(reading.report)
      do throws(ImportError) { try content.add(reading) } catch {
        throw .failure(
          Failure(message: "\(source): \(error.message)", status: ExitStatus.invalidQuery))
      }
    }
    bar.end()
    for line in report.lines { StandardError.write(line) }
    return content
  }

  private static func read(
    _ source: String, _ input: [UInt8], _ options: DatasetOptions, _ bar: ProgressBar
  ) async throws(ImportFault) -> FileReading {
    do throws(StoreError) {
      if source == PipedInput.address {
        return try await FileSource.load(unnamed: input, options)
      }
      return try await FileSource.load(
        StoreLocation.demoFolder(source) ?? source, options,
        progress: bar.report("Reading " + Files.name(of: source)))
    } catch {
      throw .store(error)
    }
  }

  private func write(
    _ content: ImportedContent, _ plan: ImportPlan, into store: LocalStore?, _ path: String,
    _ bar: ProgressBar
  ) async throws(ImportFault) {
    let writing = bar.report("Writing " + Files.name(of: path))
    if let store {
      return try await add(plan, to: store, bar)
    }
    do throws(StoreError) {
      // With `updateBy`, the plan may merge imported rows with each other. The new store is then
      // the result of the plan, not the content as it was read.
      let whole = WholeStore(
        updateBy == nil ? content.store : try Self.carriedOut(plan),
        attachments: try await Self.attachments(of: sources))
      guard Files.kind(of: path) == .file else {
        return try await LocalStore.create(file: path, of: whole, progress: writing)
      }
      try await AtomicReplacement(path).make { draft async throws(StoreError) in
        try await LocalStore.create(file: draft, of: whole, progress: writing)
      }
    } catch {
      throw .store(error)
    }
  }

  private func add(
    _ plan: ImportPlan, to store: LocalStore, _ bar: ProgressBar
  ) async throws(ImportFault) {
    if !plan.transaction.steps.isEmpty {
      do throws(DataSourceError) {
        try await store.put(nil, in: TransactionQuery(plan.transaction))
      } catch {
        throw .failure(Failure(error))
      }
    }
    do throws(StoreError) {
      guard let remark = try await Self.add(Self.attachments(of: sources), to: store) else {
        return
      }
      bar.end()
      StandardError.write(remark)
    } catch {
      throw .store(error)
    }
  }

  /// Checks that a store accepts the plan, without writing anything.
  private static func rehearse(
    _ plan: ImportPlan, on store: TripleStore
  ) throws(ImportFault) {
    var copy = store
    do throws(TransactionError) {
      try copy.transact(plan.transaction)
    } catch {
      throw .failure(Failure(DataSourceError(error)))
    }
  }

  private static func carriedOut(_ plan: ImportPlan) throws(StoreError) -> TripleStore {
    var store = TripleStore()
    do throws(TransactionError) {
      try store.transact(plan.transaction)
      return store
    } catch {
      throw .broken(path: error.message)
    }
  }

  /// Returns the error if nothing can be written at a path; otherwise nil. This is checked before
  /// the sources are read.
  private static func refusal(toWrite path: String) -> StoreError? {
    let folder = Files.folder(of: path)
    guard Files.kind(of: folder) == .folder else {
      return .unwritable(path: path, reason: "there is no folder \(folder)")
    }
    guard access(folder, W_OK) != 0 else { return nil }
    let reason = SystemError(errno: errno).reason
    return .unwritable(path: path, reason: "the folder \(folder) is not writable (\(reason))")
  }
}

/// The reason why an import failed.
enum ImportFault: Error, CustomStringConvertible {
  case store(StoreError)
  case failure(Failure)

  var description: String {
    switch self {
    case .store(let error): error.description
    case .failure(let failure): failure.description
    }
  }
}
