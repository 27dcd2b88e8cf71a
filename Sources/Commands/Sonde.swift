import ArgumentParser
import CExecutor

/// The program's root: names the subcommands, and turns errors into a sentence and an exit status.
@main struct Sonde: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sonde",
    abstract: "A live explorer for graph-shaped data in the terminal.",
    discussion: """
      STORE is the name of a bundled demo (world, goals, company), a folder of JSON files, or a \
      triple dump. Without one the demo opens.
      """,
    version: "0.1.0",
    subcommands: [Browse.self, Ask.self, ThemesCommand.self],
    defaultSubcommand: Browse.self)

  static func main() {
    executor_install()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      end(with: error)
    }
  }

  /// Prints what is to be said and ends: help on standard output, complaints on standard error.
  private static func end(with error: any Error) -> Never {
    if let failure = error as? Failure {
      StandardError.write("sonde: " + failure.message)
      ExitStatus.end(failure.status)
    }
    let code = exitCode(for: error)
    if code == .validationFailure {
      StandardError.write(fullMessage(for: error))
      ExitStatus.end(ExitStatus.usage)
    }
    exit(withError: error)
  }
}
