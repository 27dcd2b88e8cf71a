import ArgumentParser
import Stores

/// Whether a store may be changed.
struct AccessOptions: ParsableArguments {
  @Flag(name: .customLong("read-only"), help: "Let nothing change the store.")
  var isReadOnly = false

  @Flag(
    help:
      "Let the store be changed where that is not usual: a server, a SQLite database; what a demo or folder is given is gone at the end."
  )
  var write = false

  func validate() throws {
    if isReadOnly, write { throw ValidationError("--read-only and --write exclude each other.") }
  }

  /// Nil when nobody said.
  var access: StoreAccess? { isReadOnly ? .readOnly : write ? .readWrite : nil }
}
