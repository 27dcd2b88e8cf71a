import ArgumentParser
import DataSources
import LiveQueries
import Stores
import Triples

/// `sonde export`: writes the whole of a store in a form that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the whole of a store to a file or folder.",
    discussion: """
      backup is a zip file as Instant's own, with permission rules and uploaded files where the store \
      holds them; json, jsonl and csv are folders with a file for each namespace and a schema.json; \
      dump is one JSON file of attributes and triples. Without --format a path that ends in .zip is a \
      backup, one that ends in .json a dump, and one without an ending a folder of JSON. The path holds \
      all of the export, or what it held before: nothing is replaced before the new one is complete.

      --to - writes to standard output: a backup, a dump, or json, jsonl or csv of a store with one \
      namespace.

      Of a server everything is read that it shows to you; its rules and uploaded files stay with it.
      """)

  @Argument(help: ArgumentHelp(StoreLocation.help), completion: .file())
  var store: String

  @Option(help: "The file or folder to write; - for standard output.", completion: .file())
  var to: String

  @Option(
    help: "backup, json, jsonl, csv or dump; default: from the path's ending.",
    completion: .list(StoreExport.Format.allCases.map(\.rawValue)), transform: Self.format)
  var format: StoreExport.Format?

  @Flag(help: "Overwrite an earlier export at that path.")
  var force = false

  @Flag(help: "Write what can be read of a damaged .sonde file, and list the rest.")
  var salvage = false

  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var common: CommonOptions

  private static func format(_ name: String) throws -> StoreExport.Format {
    guard let format = StoreExport.Format(rawValue: name) else {
      throw ValidationError(
        "'\(name)' is no format. There are "
          + StoreExport.Format.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    return format
  }

  func run() throws {
    let location = try StoreLocation(store)
    if to == "-" { return try writeToOutput(location) }
    if format == nil, let advice = Self.advice(against: to) {
      throw Failure(message: advice, status: ExitStatus.usage)
    }
    if Files.kind(of: to) != nil, !(force && Replacement.isReplaceable(to)) {
      throw Failure(
        message: force
          ? "\(to) holds more than an export, so it is not replaced: choose another name."
          : "There is \(to) already: choose another name, or replace it with --force.",
        status: ExitStatus.usage)
    }
    let bar = ProgressBar()
    defer { bar.end() }
    let ending = try waitingForEnd(.goOn) { () async throws(Failure) in
      try await write(location, bar)
    }
    bar.end()
    ending.endIfInterrupted()
  }

  /// What to do instead of making a folder whose name says that it is something else; nil when it
  /// says nothing.
  private static func advice(against path: String) -> String? {
    switch FileKind(path) {
    case .store: "An export is no store: sonde import STORE --into \(path) makes one."
    case .database, .rows:
      "\(path) would be a folder: choose another name, or say with --format what it shall hold."
    case .backup, .json: nil
    case nil:
      ending(of: path).map {
        "No export ends in \($0): .zip is a backup, .json a dump, a name without an ending a folder of "
          + "JSON. Else say with --format what it shall hold."
      }
    }
  }

  /// How a name ends, with the dot; nil where it is a number, as of a version, or there is none.
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

  func whole(
    _ location: StoreLocation, _ bar: ProgressBar
  ) async throws(Failure) -> WholeStore {
    let report = bar.report("Reading " + location.name)
    if salvage { return try await Salvage.content(of: location, report) { bar.end() } }
    let store = try await location.open(
      access: .readOnly, progress: report, tokens: credentials.tokens)
    do throws(DataSourceError) {
      let content = try await store.wholeStore(bytes: .spelled)
      await store.hangUp()
      return content
    } catch {
      await store.hangUp()
      throw Failure(error)
    }
  }
}
