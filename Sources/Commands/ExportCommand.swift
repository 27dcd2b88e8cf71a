import ArgumentParser
import DataSources
import LiveQueries
import Stores
import Triples

/// `sonde export`: writes a whole store in a format for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a whole store to a file or folder.",
    discussion: """
      backup is a zip file like Instant's own, with the store's permission rules and uploaded files; \
      json, jsonl and csv are folders with a file for each namespace and a schema.json; dump is one JSON \
      file of attributes and triples; sqlite is a database with a table for each namespace, foreign keys \
      for to-one links and join tables for to-many links; values that do not fit are listed. Without \
      --format, .zip means a backup, .json a dump, .sqlite or .db a database, and no extension a \
      folder of JSON. The output appears when it is complete; until then, an earlier export stays in place.

      --to - writes to standard output: a backup, a dump, or json, jsonl or csv of a store with one \
      namespace.

      --to postgres://HOST/DATABASE writes the same tables into a PostgreSQL database, in one \
      transaction; --force replaces existing tables with the same names.

      An export of a server contains all data that the server lets you read, but not its permission \
      rules and uploaded files.
      """)

  @Argument(help: ArgumentHelp(StoreLocation.help), completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "The file, folder or PostgreSQL database to write; - for standard output.",
      valueName: "target"),
    completion: .file())
  var to: String

  @Option(
    help: "backup, json, jsonl, csv, dump or sqlite; default: from the file extension.",
    completion: .list(StoreExport.Format.allCases.map(\.rawValue)), transform: Self.format)
  var format: StoreExport.Format?

  @Flag(help: "Overwrite an earlier export at that path.")
  var force = false

  @Flag(help: "Export the readable part of a damaged .sonde file, and list the rest.")
  var salvage = false

  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var tables: TablesOptions
  @OptionGroup var common: CommonOptions

  private static func format(_ name: String) throws -> StoreExport.Format {
    guard let format = StoreExport.Format(rawValue: name) else {
      throw ValidationError(
        "Use one of " + StoreExport.Format.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    return format
  }

  func run() throws {
    let location = try tables.applied(to: StoreLocation(store))
    if to == "-" { return try writeToOutput(location) }
    if PostgresParameters.isAddress(to) { return try writeToServer(location) }
    if format == nil, let failure = Self.failure(writingTo: to) {
      throw failure
    }
    if let path = location.path, Files.isSame(path, to) { throw Failure.exportOntoItself(to) }
    if Files.kind(of: to) != nil, !(force && AtomicReplacement.isReplaceable(to)) {
      throw force ? Failure.exportHoldsOthers(to) : .exportExists(to)
    }
    let bar = ProgressBar()
    defer { bar.end() }
    let ending = try runUntilInterrupted(.goOn) { () async throws(Failure) in
      try await write(location, bar)
    }
    bar.end()
    ending.endIfInterrupted()
  }

  /// Returns the failure for a path with an extension that no export format has; nil for any other
  /// path.
  private static func failure(writingTo path: String) -> Failure? {
    switch FileKind(path) {
    case .store: .exportToStore(path)
    case .database: nil
    case .rows: .exportWithoutFormat(path)
    case .backup, .json: nil
    case nil: ending(of: path).map { .exportExtension($0) }
    }
  }

  /// Returns the extension of a path, including the dot.
  ///
  /// Returns nil if there is no extension, or if it is a number, as in `data-1.2`.
  private static func ending(of path: String) -> String? {
    let name = Files.name(of: path)
    guard !path.hasSuffix("/"), let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return nil
    }
    let ending = name[dot...]
    return ending.dropFirst().contains(where: \.isLetter) ? String(ending) : nil
  }

  private func write(_ location: StoreLocation, _ bar: ProgressBar) async throws(Failure) {
    let content = try await whole(location, bar)
    let format = format ?? StoreExport.Format(path: to)
    let remarks: [String]
    do throws(StoreError) {
      remarks = try await StoreExport.write(
        content, to: to, as: format, title: location.name, isReplacing: force,
        progress: bar.report("Writing " + Files.name(of: to)))
    } catch {
      bar.end()
      throw Failure(error)
    }
    bar.end()
    for remark in content.remarks + remarks { StandardError.write(remark) }
  }

  /// Opens a store, and reads all of it.
  ///
  /// - Parameter check: Called with the open store before it is read.
  func whole(
    _ location: StoreLocation, _ bar: ProgressBar,
    check: (any StoreDataSource) async throws(Failure) -> Void = { _ in }
  ) async throws(Failure) -> WholeStore {
    let report = bar.report("Reading " + location.name)
    if salvage { return try await Salvage.content(of: location, report) { bar.end() } }
    let store = try await location.open(
      access: .readOnly, progress: report, tokens: credentials.tokens)
    try await check(store)
    do throws(DataSourceError) {
      let content = try await store.wholeStore(bytes: .spelled)
      await store.disconnect()
      return content
    } catch {
      await store.disconnect()
      throw Failure(error)
    }
  }
}
