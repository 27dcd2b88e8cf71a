import Foundation
import Testing

/// Compares a screen with the one in `Screens/NAME.txt`.
///
/// With `SONDE_RECORD_SCREENS=1` in the environment the file is rewritten; the change is then
/// read in review like any other.
func expectScreen(
  _ text: String, named name: String, at location: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Screens/\(name).txt")
  if ProcessInfo.processInfo.environment["SONDE_RECORD_SCREENS"] == "1" {
    try Data((text + "\n").utf8).write(to: file)
    return
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(text + "\n" == expected, sourceLocation: location)
}
