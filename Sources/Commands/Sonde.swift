import ArgumentParser
import CExecutor
import CMemory
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The root command. It lists the subcommands, and turns errors into messages and exit statuses.
///
/// Every subcommand states its name explicitly. Deriving the name from the type would search
/// through all protocol conformances, which costs a tenth of a millisecond for each subcommand at
/// every start.
@main struct Sonde: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sonde",
    abstract: "A live explorer for graph-shaped data in the terminal.",
    usage: "sonde [STORE …] [QUERY]\nsonde COMMAND …",
    discussion: """
      STORE is a demo, folder, file, database or server, or - for standard input.
      QUERY is text, as in: cities filter population > 1000000; or @ and a saved name.
      A single last word is a namespace of the first store, or else a demo or a file.
      """,
    version: Release.version,
    subcommands: [
      Browse.self, QueryCommand.self, Watch.self, Transact.self, Import.self, ExportCommand.self,
      SchemaCommand.self, CheckCommand.self, LiveCommand.self, Serve.self, TokenCommand.self,
      Demo.self,
      ThemesCommand.self, KeysCommand.self, ManualCommand<Sonde>.self, Doctor.self,
    ],
    defaultSubcommand: Browse.self)

  static func main() {
    memory_expect_much()
    executor_install()
    StandardStreams.holdPlaces()
    // SIGPIPE is ignored, so that writing to a closed pipe fails with EPIPE, which ends the program
    // silently.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    ArgumentMemory.hidePasswords(of: arguments)
    do {
      if arguments.first == "---complete", arguments.count > 1 {
        let completion = CommandLineCompletion(arguments[1], of: ProgramDescription(Self.self))
        printAnswer(
          completion.lines(from: arguments.dropFirst(2).first), endingWith: ExitStatus.success)
      }
      if let text = try HelpTopic.text(for: arguments, of: Self.self) {
        printAnswer(text, endingWith: ExitStatus.success)
      }
      if let exploration = Exploration(
        arguments, commands: ProgramDescription.commandNames(of: Self.self))
      {
        try checkThreads()
        try exploration.run()
      } else {
        var command = try parseAsRoot()
        try checkThreads()
        try command.run()
      }
    } catch {
      end(with: error)
    }
    ExitStatus.closeStores()
  }

  /// Checks that the system can start enough threads.
  ///
  /// Without them, Dispatch and the event loops would wait indefinitely.
  ///
  /// - Throws: A failure if too few threads can be started.
  private static func checkThreads() throws(Failure) {
    let needed = minThreads + thread_cores()
    guard thread_available(needed) < needed else { return }
    throw Failure(
      message:
        "Cannot start the \(needed) threads that Sonde needs. Raise the limit (ulimit -u) or end other programs.",
      status: ExitStatus.store)
  }

  /// The number of threads that a command needs in addition to one thread per core.
  private static let minThreads: Int32 = 6

  /// Prints an error or the help, and exits. The help goes to standard output, errors to standard
  /// error.
  private static func end(with error: any Error) -> Never {
    if let failure = error as? Failure { complain(failure) }
    if exitCode(for: error) == .validationFailure {
      complain(
        Failure(
          usage: message(for: error), help: fullMessage(for: error),
          program: ProgramDescription(Self.self)))
    }
    printAnswer(fullMessage(for: error), endingWith: exitCode(for: error).rawValue)
  }

  /// Prints a text about the program itself, such as its help, and exits with `status`.
  private static func printAnswer(_ text: String, endingWith status: Int32) -> Never {
    let text = text == helpMessage() ? RootHelp.text(of: configuration) : text
    let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    do throws(Failure) {
      _ = try Output.write(Array((text + end).utf8))
    } catch {
      complain(error)
    }
    ExitStatus.end(status)
  }

  private static func complain(_ failure: Failure) -> Never {
    let failure = failure.suggesting(commands: ProgramDescription.commandNames(of: Self.self))
    StandardError.write(
      CommonOptions.isJSONWanted ? JSONWriter.text(failure.json) : "sonde: " + failure.sentences)
    ExitStatus.end(failure.status)
  }
}
