import ArgumentParser
import CExecutor
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program's root: names the subcommands, and turns errors into a sentence and an exit status.
@main struct Sonde: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sonde",
    abstract: "A live explorer for graph-shaped data in the terminal.",
    discussion: """
      STORE is a bundled demo (world, goals, company), a folder of .json, .jsonl and .csv files, a \
      .sonde store, a backup of an Instant app (.zip), a triple dump, a SQLite database (.sqlite, .db) \
      or a server (ws://HOST:PORT/APP-ID, wss://…, instant://APP-ID). Without one the demos are offered.
      """,
    version: "0.1.0",
    subcommands: [
      Browse.self, Ask.self, Watch.self, Transact.self, Import.self, ExportCommand.self,
      SchemaCommand.self, Serve.self, TokenCommand.self, Demo.self,
      ThemesCommand.self, KeysCommand.self, Doctor.self,
    ],
    defaultSubcommand: Browse.self)

  static func main() {
    executor_install()
    // Writing where nobody reads is told by the call, and ends the program quietly.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      end(with: error)
    }
  }

  /// Prints what is to be said and ends: help on standard output, complaints on standard error.
  private static func end(with error: any Error) -> Never {
    if let failure = error as? Failure { complain(failure) }
    if exitCode(for: error) == .validationFailure {
      if CommonOptions.isJSONWanted {
        complain(Failure(message: message(for: error), status: ExitStatus.usage))
      }
      StandardError.write(fullMessage(for: error))
      ExitStatus.end(ExitStatus.usage)
    }
    exit(withError: error)
  }

  private static func complain(_ failure: Failure) -> Never {
    StandardError.write(
      CommonOptions.isJSONWanted ? JSONWriter.text(failure.json) : "sonde: " + failure.message)
    ExitStatus.end(failure.status)
  }
}
