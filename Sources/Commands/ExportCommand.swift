import ArgumentParser
import LiveQueries
import Stores
import Triples

/// `sonde export`: writes the whole of a store in a form that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the whole of a store to a file or folder.",
    discussion: """
      backup is a zip file as Instant's own; json and csv are folders with a file for each namespace \
      and a schema.json; dump is one JSON file of attributes and triples. Without --format a path that \
      ends in .zip is a backup, one that ends in .json a dump, and any other a folder of JSON. Whoever \
      looks at the path sees all of it or nothing.
      """)

  @Argument(help: ArgumentHelp(StoreLocation.help))
  var store: String

  @Option(help: "The file or folder to write.")
  var to: String

  @Option(
    help: "backup, json, csv or dump; else by the path's ending.", transform: Self.format)
  var format: StoreExport.Format?

  @Flag(help: "Put it in the place of what an export wrote there before.")
  var force = false

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

  private func write(_ location: StoreLocation, _ bar: ProgressBar) async throws(Failure) {
    let content = try await location.open(
      access: .readOnly, progress: bar.report("Reading " + location.name),
      tokens: credentials.tokens
    ).snapshotOrFail().store
    let format = format ?? StoreExport.Format(path: to)
    let report = bar.report("Writing " + Files.name(of: to))
    let title = location.name
    do throws(StoreError) {
      guard Files.kind(of: to) != nil else {
        return try await StoreExport.write(
          content, to: to, as: format, title: title, progress: report)
      }
      try await Replacement(to).make { draft async throws(StoreError) in
        try await StoreExport.write(
          content, to: draft, as: format, title: title, progress: report)
      }
    } catch {
      bar.end()
      throw Failure(error)
    }
  }
}
