import ArgumentParser

/// What every subcommand takes.
struct CommonOptions: ParsableArguments {
  @Flag(
    name: .customLong(Self.jsonErrorsName), help: "Print errors as a JSON object on one line.")
  var printsErrorsAsJSON = false

  /// Whether errors are objects. Asked of the bare arguments as well: what could not be parsed is an
  /// error too.
  static let isJSONWanted = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
    .contains("--" + jsonErrorsName)

  private static let jsonErrorsName = "json-errors"
}
