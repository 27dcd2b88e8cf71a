import ArgumentParser
import Stores

/// `sonde live`: lets a PostgreSQL database tell at once that a table changed.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Let a PostgreSQL database report changes at once, by triggers.",
    discussion: """
      Without triggers a store asks the server each second whether anything was written. With them the \
      server sends a notice at each commit:
        sonde live install postgres://localhost/shop
        sonde live remove postgres://localhost/shop
      """,
    // The stores that it is for are experimental.
    shouldDisplay: false, subcommands: [Install.self, Remove.self])

  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Put triggers on tables; they send the name of the table, never its rows.",
      discussion: PostgresTriggers.warning)

    @Argument(help: "The database: postgres://HOST/DATABASE.")
    var store: String

    @Argument(help: "Tables, as NAME or SCHEMA.NAME; without any all tables.")
    var tables: [String] = []

    @Flag(help: "Print the SQL and change nothing.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func run() throws {
      let parameters = try LiveCommand.parameters(store)
      let tables = tables
      let sql = try waiting { () async throws(Failure) in
        do throws(StoreError) {
          return try await PostgresTriggers.installation(in: parameters, on: tables)
        } catch {
          throw Failure(error)
        }
      }
      if !dryRun { StandardError.write(PostgresTriggers.warning) }
      try LiveCommand.carryOut(sql, in: parameters, isDry: dryRun)
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Take the triggers out again, with their function and schema.")

    @Argument(help: "The database: postgres://HOST/DATABASE.")
    var store: String

    @Flag(help: "Print the SQL and change nothing.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func run() throws {
      try LiveCommand.carryOut(
        PostgresTriggers.removing, in: LiveCommand.parameters(store), isDry: dryRun)
    }
  }

  private static func parameters(_ store: String) throws(Failure) -> PostgresParameters {
    guard PostgresParameters.isAddress(store) else {
      throw Failure(
        message: "'\(store)' is no PostgreSQL database: name one as postgres://HOST/DATABASE.",
        status: ExitStatus.usage)
    }
    return PostgresParameters(store)
  }

  private static func carryOut(
    _ sql: String, in parameters: PostgresParameters, isDry: Bool
  ) throws {
    if isDry {
      _ = try Output.show(Array((sql + "\n").utf8))
      return
    }
    try waiting { () async throws(Failure) in
      do throws(StoreError) {
        try await PostgresTriggers.run(sql, in: parameters)
      } catch {
        throw Failure(error)
      }
    }
  }
}
