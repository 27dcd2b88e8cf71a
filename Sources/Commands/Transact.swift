import ArgumentParser
import DataSources
import Explorer
import LiveQueries
import Stores
import Triples

/// `sonde transact`: carries out a transaction that stands in a file.
struct Transact: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transact",
    abstract: "Change a store with a transaction.",
    discussion: """
      FILE holds JSON: operations as InstaML's clients make them,
        [["update", "goals", "ID", {"title": "Run"}], ["link", "goals", "ID", {"todos": "ID"}]]
      (also as {"__ops": […]} chunks), with the actions create, update, merge, link, unlink, delete; \
      or steps as they travel,
        [["add-triple", "ID", "ATTRIBUTE-ID", "Run"], ["delete-entity", "ID", "goals"]]
      All of it happens or nothing. The number of the transaction is printed.
      """)

  @Argument(
    help: "A .sonde store, a SQLite database, or a server.", completion: .file())
  var store: String

  @Argument(help: "A file of JSON, or - for standard input.", completion: .file())
  var file: String

  @Flag(help: "Make the .sonde store if there is none.")
  var create = false

  @OptionGroup var credentials: CredentialOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    if !create, case .storeFile(let path)? = try? StoreLocation(store, mayBeNew: true),
      Files.kind(of: path) == nil
    {
      throw Failure(
        message: "There is no file \(store). Make it with --create.", status: ExitStatus.store)
    }
    let location = try StoreLocation(store, mayBeNew: create)
    guard location.keepsChanges else {
      throw Failure(
        message: "\(store) keeps no changes: sonde import it into a .sonde store, and change that.",
        status: ExitStatus.usage)
    }
    let text = try TransactionText(InputFile(file).json())
    let made = try waiting { () async throws(Failure) in
      try await transact(text, location)
    }
    if made.freshness == .optimistic {
      throw Failure(
        message: "The server cannot be reached. The change is kept, and sent when it is back.",
        status: ExitStatus.store)
    }
    _ = try Output.write(Array("\(made.knownTransaction ?? made.transactionID)\n".utf8))
  }

  private func transact(_ text: TransactionText, _ location: StoreLocation) async throws(Failure)
    -> StoreSnapshot
  {
    let store = try await location.open(
      access: .readWrite, ifMissing: create ? .create : .fail, tokens: credentials.tokens)
    let known = try await store.snapshotOrFail()
    do throws(Failure) {
      return try await carryOut(text, on: store, knowing: known)
    } catch {
      var failure = error
      failure.message = await EntityNames.adding(to: failure.message, from: store, known)
      throw failure
    }
  }

  private func carryOut(
    _ text: TransactionText, on store: any StoreDataSource, knowing known: StoreSnapshot
  ) async throws(Failure) -> StoreSnapshot {
    let transaction = try text.transaction(
      for: known.store, isWhole: known.served == nil && !(store is RemoteStore))
    do throws(DataSourceError) {
      let query = TransactionQuery(transaction)
      let made = try await store.put(nil, in: query)
      let reason = await (store as? RemoteStore)?.whyUnanswered(query.id)
      await store.hangUp()
      guard let reason else { return made }
      throw DataSourceError(
        .network(status: nil),
        "No answer to the change: \(reason). It is kept, and sent again when the server is back; made "
          + "twice it will not be.")
    } catch {
      throw Failure(error)
    }
  }
}
