import ArgumentParser
import DataSources
import InstaQL
import LiveQueries
import Stores
import Triples

/// `sonde check`: reads a whole store and reports damage.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Read a whole store and report damage.",
    discussion: """
      In a .sonde file, this checks the database, all row checksums, the cache and the log; in a SQLite \
      database, the integrity and the foreign keys. Any other store is read completely. Nothing is \
      changed. The exit status is 0 for an undamaged store and 3 for a damaged one. The first 20 findings \
      are printed; with --json-errors they are part of the JSON object.
      """)

  @Argument(help: "A .sonde store, a SQLite database, a folder or a file.", completion: .file())
  var store: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let location = try StoreLocation(store)
    let bar = ProgressBar()
    defer { bar.end() }
    let ending = try runUntilInterrupted(.goOn) { () async throws(Failure) in
      try await report(location, bar.report("Reading " + location.name))
    }
    bar.end()
    ending.endIfInterrupted()
    guard case .finished(let report) = ending else { return }
    if let summary = report.summary { _ = try Output.show(Array((summary + "\n").utf8)) }
    guard report.damage.count > 0 else { return }
    if !CommonOptions.isJSONWanted {
      _ = try Output.show(Array(report.lines.utf8))
    }
    throw report.failure(of: store)
  }

  private func report(
    _ location: StoreLocation, _ progress: ProgressReport
  ) async throws(Failure) -> Report {
    do throws(StoreError) {
      switch location {
      case .storeFile(let path):
        return Report(try await StoreCheck.run(file: path, progress: progress), of: path)
      case .database(let path):
        let damage = try await DatabaseCheck.run(file: path)
        return Report(
          summary: damage.count == 0 ? "\(path) is undamaged." : nil, damage: damage,
          advice: "Keep a copy of the file, then restore a backup or run .recover in sqlite3.")
      case .server(let address):
        throw StoreError.broken(
          path: "\(address) is a server. Run 'sonde check' on the server's machine.")
      case .demo, .folder, .tripleDump, .standardInput, .backup, .postgres, .unsupported: break
      }
    } catch {
      throw Failure(error)
    }
    return try await reading(location, progress)
  }

  /// Checks a store by reading all of it, for formats without a check of their own, such as JSON.
  private func reading(
    _ location: StoreLocation, _ progress: ProgressReport
  ) async throws(Failure) -> Report {
    var damage = DamageList()
    let store = try await location.open(
      access: .readOnly, progress: progress, warn: { damage.add(.init(fault: $0)) })
    let content: TripleStore
    do throws(DataSourceError) {
      let whole = try await store.wholeStore(bytes: .spelled)
      for fault in whole.unreadable { damage.add(.init(fault: fault)) }
      content = whole.store
    } catch {
      throw Failure(error)
    }
    let count = content.schema.namespaces.reduce(0) { $0 + content.count(of: $1) }
    return Report(
      summary: "\(location.name) is readable: \(count) entities in "
        + "\(content.schema.namespaces.count) namespaces.", damage: damage,
      advice: "The listed data was skipped or converted when it was read.")
  }

  /// The result of a check.
  private struct Report: Sendable {
    /// The line that describes the store, such as `plan.sonde is undamaged: …`; nil prints no such
    /// line.
    var summary: String?
    var damage: DamageList
    var advice: String

    /// The command that makes a store of an exported folder.
    private static let importing = "sonde import FOLDER --into NEW.sonde"

    init(summary: String?, damage: DamageList, advice: String) {
      (self.summary, self.damage, self.advice) = (summary, damage, advice)
    }

    init(_ check: StoreCheck, of path: String) {
      damage = check.damage
      if damage.count == 0 {
        summary =
          "\(path) is undamaged: \(check.tripleCount) triples, \(check.documentCount) stored files, "
          + "last transaction \(check.transactionID)."
          + (check.hasChecksums
            ? "" : " It has no checksums yet; opening it for writing adds them.")
      }
      advice =
        check.isComplete
        ? "All data is readable. Keep a copy of the file, then rebuild it with: "
          + "sonde export \(path) --to FOLDER, then: \(Self.importing)"
        : "Keep a copy of the file, then export the readable part with: "
          + "sonde export \(path) --salvage --to FOLDER, then: \(Self.importing)"
    }

    /// The damage as text, one finding per line.
    var lines: String {
      var lines = damage.findings.map(\.line)
      let more = damage.count - damage.findings.count
      if more > 0 { lines.append("… and \(more) more") }
      return lines.joined(separator: "\n") + "\n"
    }

    func failure(of store: String) -> Failure {
      let number = damage.count == 1 ? "1 error" : "\(damage.count) errors"
      var failure = Failure(
        message: "\(store): \(number) found. \(advice)", status: ExitStatus.store)
      failure.details = [
        "count": .integer(Int64(damage.count)),
        "findings": .array(
          damage.findings.map { finding in
            var object: JSONObject = ["fault": .text(finding.fault)]
            object["entity"] = finding.entity.map { .text($0) }
            object["attribute"] = finding.attribute.map { .text($0) }
            return .object(object)
          }),
      ]
      return failure
    }
  }
}
