import ArgumentParser
import Stores

/// `sonde live`: installs triggers in a PostgreSQL database that report changes immediately.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Make PostgreSQL report changes immediately, with triggers.",
    discussion: """
      Without triggers a store polls the server every second. With triggers the server sends a \
      notification at each commit:
        sonde live install postgres://localhost/shop
        sonde live remove postgres://localhost/shop
      """,
    subcommands: [Install.self, Remove.self])

  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Install triggers on tables. A trigger sends its table's name, never rows.",
      discussion: PostgresTriggers.warning)

    @Argument(help: "The database: postgres://HOST/DATABASE.")
    var store: String

    @Argument(help: "Tables, as NAME or SCHEMA.NAME; default: all tables.")
    var tables: [String] = []

    @Flag(help: "Print the SQL without executing it.")
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
      abstract: "Remove Sonde's triggers, their function and their schema.")

    @Argument(help: "The database: postgres://HOST/DATABASE.")
    var store: String

    @Flag(help: "Print the SQL without executing it.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func run() throws {
      try LiveCommand.carryOut(
        PostgresTriggers.removing, in: LiveCommand.parameters(store), isDry: dryRun)
    }
  }

  private static func parameters(_ store: String) throws(Failure) -> PostgresParameters {
    guard PostgresParameters.isAddress(store) else {
      throw Failure.notPostgres(store)
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
