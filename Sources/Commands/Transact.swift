import ArgumentParser
import DataSources
import Explorer
import LiveQueries
import Stores
import Triples

/// `sonde transact`: executes a transaction from a file.
struct Transact: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transact",
    abstract: "Change a store with a transaction.",
    discussion: """
      FILE contains JSON: InstaML operations,
        [["update", "goals", "ID", {"title": "Run"}], ["link", "goals", "ID", {"todos": "ID"}]]
      (also as {"__ops": […]} chunks), with the actions create, update, merge, link, unlink, delete; \
      or steps,
        [["add-triple", "ID", "ATTRIBUTE-ID", "Run"], ["delete-entity", "ID", "goals"]]
      The transaction is atomic; its number is printed. A SQLite database has no such numbers, so a message \
      also says whether it changed. Deleting a row that does not exist succeeds, and a message says so. \
      ["id", 1] instead of "ID" names the row of a database with this key.
      """)

  @Argument(
    help: "A .sonde store, a SQLite or PostgreSQL database, or a server.", completion: .file())
  var store: String

  @Argument(help: "A JSON file, or - for standard input.", completion: .file())
  var file: String

  @Flag(help: "Create the .sonde store if necessary.")
  var create = false

  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    if !create, case .storeFile(let path)? = try? StoreLocation(store, mayBeNew: true),
      Files.kind(of: path) == nil
    {
      throw Failure.storeMissing(store)
    }
    let location = try StoreLocation(store, mayBeNew: create)
    guard location.keepsChanges else {
      throw Failure.storeReadOnly(store)
    }
    let json = try InputFile(file).json()
    // Malformed steps are reported even if the store cannot be opened.
    _ = try TransactionText(json.rounded)
    let (known, made, remark, stored) = try waiting { () async throws(Failure) in
      try await transact(json, location)
    }
    if made.freshness == .optimistic {
      throw Failure.changeQueued
    }
    let isUnchanged = made.transactionID == known.transactionID
    if case .database = location, !isUnchanged || remark == nil {
      // SQLite does not number transactions, so the number does not say what happened.
      StandardError.write(
        isUnchanged
          ? "\(store) is unchanged: it already has these values." : "\(store) changed.")
    }
    if let remark { StandardError.write(remark) }
    for sentence in Self.sentences(about: stored) { StandardError.write(sentence) }
    _ = try Output.write(Array("\(made.knownTransaction ?? made.transactionID)\n".utf8))
  }

  private func transact(_ json: ExactJSON, _ location: StoreLocation) async throws(Failure)
    -> (known: StoreSnapshot, made: StoreSnapshot, remark: String?, stored: [StoredValue])
  {
    let store = try await location.open(
      access: .readWrite, ifMissing: create ? .create : .fail, tokens: credentials.tokens)
    let known = try await store.snapshotOrFail()
    let text = try TransactionText(json, for: known.store.schema)
    do throws(Failure) {
      let (made, remark, stored) = try await carryOut(text, on: store, knowing: known)
      return (known, made, remark, stored)
    } catch {
      var failure = error
      failure.message = await EntityNames.adding(to: failure.message, from: store, known)
      throw failure
    }
  }

  private func carryOut(
    _ text: TransactionText, on store: any StoreDataSource, knowing known: StoreSnapshot
  ) async throws(Failure) -> (made: StoreSnapshot, remark: String?, stored: [StoredValue]) {
    let transaction = try text.transaction(
      for: known.store, isWhole: known.served == nil && !(store is RemoteStore))
    let missing = await MissingDeletions(transaction, in: store, known.store.schema)
    do throws(DataSourceError) {
      let query = TransactionQuery(transaction)
      let made = try await store.put(nil, in: query)
      let reason = await (store as? RemoteStore)?.whyUnanswered(query.id)
      await store.disconnect()
      guard let reason else {
        return (made, missing.remark, StoredValue.differing(from: transaction, in: made))
      }
      throw DataSourceError(
        .network(status: nil),
        "The server did not confirm the change: \(reason). The change is queued and will be sent "
          + "again when the server is back; it will not be applied twice.")
    } catch {
      throw Failure(error)
    }
  }

  /// Returns a sentence for each value that the database stored instead of the written one.
  private static func sentences(about values: [StoredValue]) -> [String] {
    let shown = values.prefix(maxShownValues).map { stored in
      let name = stored.attribute.namespace + "." + stored.attribute.label
      return "The database stored \(name) as \(JSONWriter.text(stored.value))."
    }
    let others = values.count - shown.count
    return shown + (others > 0 ? ["Values stored differently, not listed: \(others)."] : [])
  }

  private static let maxShownValues = 10
}
