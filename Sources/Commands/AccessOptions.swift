import ArgumentParser
import Stores

/// The options `--read-only` and `--write`, which determine whether a store may be changed.
struct AccessOptions: ParsableArguments {
  @Flag(name: .customLong("read-only"), help: "Reject all changes.")
  var isReadOnly = false

  @Flag(
    help:
      "Allow changes. Needed for servers and databases; changes to a demo or folder stay in memory and are lost on exit."
  )
  var write = false

  func validate() throws {
    if isReadOnly, write { throw ValidationError("--read-only and --write cannot be combined.") }
  }

  /// The access that the options request; nil if neither was given.
  var access: StoreAccess? { isReadOnly ? .readOnly : write ? .readWrite : nil }
}
