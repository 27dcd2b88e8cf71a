import ArgumentParser
import Ncurses

/// The options that every subcommand has.
struct CommonOptions: ParsableArguments {
  @Flag(
    name: .customLong(Self.jsonErrorsName), help: "Print errors as a JSON object on one line.")
  var printsErrorsAsJSON = false

  @Option(help: "Number of colors; default: what the terminal supports.")
  var color: ColorDepth?

  @Flag(name: .customLong(Self.noProgressName), help: "Show no progress bars.")
  var hidesProgress = false

  /// Whether errors are printed as JSON. This is read from the raw arguments, because parsing them
  /// can fail, too.
  static let isJSONWanted = isGiven(jsonErrorsName)

  /// Whether progress bars may be shown; false if `--no-progress` was given.
  static let isProgressShown = !isGiven(noProgressName)

  private static let jsonErrorsName = "json-errors"
  private static let noProgressName = "no-progress"

  private static func isGiven(_ name: String) -> Bool {
    CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--" + name)
  }
}
