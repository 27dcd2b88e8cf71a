import Stores

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The memory that holds the command line, which all users of the machine can read, for example
/// with `ps`.
enum ArgumentMemory {
  /// Overwrites the passwords of PostgreSQL addresses with asterisks.
  ///
  /// - Parameter arguments: The arguments without the name of the program. They are passed so that
  ///   `CommandLine.arguments` has copied them before.
  static func hidePasswords(of arguments: [String]) {
    for (index, argument) in arguments.enumerated() {
      let option = optionLength(of: argument)
      let value = String(decoding: argument.utf8.dropFirst(option), as: UTF8.self)
      guard PostgresParameters.isAddress(value) else { continue }
      let masked = PostgresParameters.masked(value)
      guard !masked.elementsEqual(value.utf8), let memory = CommandLine.unsafeArgv[index + 1] else {
        continue
      }
      let length = strlen(memory)
      guard length == argument.utf8.count else {
        // In the string, invalid UTF-8 has been replaced, so the places differ.
        for place in 0..<length { memory[place] = CChar(truncatingIfNeeded: UInt8(ascii: "*")) }
        continue
      }
      for place in option..<length {
        memory[place] = CChar(truncatingIfNeeded: masked[place - option])
      }
    }
  }

  /// Returns the length of the option in `--to=ADDRESS`, in bytes; 0 if the argument is no option.
  private static func optionLength(of argument: String) -> Int {
    guard argument.hasPrefix("--"), let sign = argument.utf8.firstIndex(of: UInt8(ascii: "="))
    else { return 0 }
    return argument.utf8.distance(from: argument.startIndex, to: sign) + 1
  }
}
