import Foundation
import Testing

/// What the program is given instead of files and terminals.
@Suite("Streams, pipes and devices", .waitsForPrograms, .timeLimit(.minutes(10)))
struct StreamTests {
  private static func shell(_ line: String, in folder: String) throws -> Program.Run {
    let shell = try Child(
      ["bash", "-c", line], environment: ["SONDE": Program.path, "FOLDER": folder])
    let end = shell.finish()
    return Program.Run(status: end.status, output: end.output, error: end.complaints)
  }

  @Test("a closed standard stream is not reused for a file")
  func closed() throws {
    try Program.withFolder([:]) { folder in
      let export = try Self.shell(
        "cd \"$FOLDER\"; \"$SONDE\" export goals --to a.zip <&- >&- 2>&-;"
          + " \"$SONDE\" query a.zip 'goals count'", in: folder)
      #expect(export.output.contains("12"), "\(export.error)")
      let query = try Self.shell("\"$SONDE\" query goals goals >&-", in: folder)
      #expect(query.status == 1)
      #expect(query.error.contains("could not be written"))
    }
  }

  @Test("unreadable input is reported", arguments: ["<&-", "</"])
  func unreadable(input: String) throws {
    let lines = try Self.shell("\"$SONDE\" query goals - \(input)", in: "/")
    #expect(lines.status == 2)
    #expect(lines.error.contains("Standard input cannot be read"))
  }

  @Test("a transaction can be piped, and an endless one is rejected")
  func pipes() throws {
    try Program.withFolder([:]) { folder in
      let step = #"["update","notes","0c5f5e9c-9f4f-4f0e-8f0a-0d8d5c9c6f11",{"text":"x"}]"#
      let piped = try Self.shell(
        "\"$SONDE\" transact \"$FOLDER/a.sonde\" <(echo '\(step)') --create", in: folder)
      #expect(piped.status == 0, "\(piped.error)")
      #expect(piped.output == "1\n")
    }
  }

  @Test("a store that cannot be opened is reported after the screen closes")
  func brokenData() throws {
    try Program.withFolder(["a.csv": "\n"]) { folder in
      let terminal = try Tmux(columns: 160)
      try terminal.run("\(Program.path) \(folder); echo le''ft $?")
      try terminal.wait(for: "left 3")
      let screen = try terminal.screen()
      let complaint = "sonde: \(folder)/a.csv, line 1: the file has no header"
      #expect(screen.contains(complaint), "\(screen)")
    }
  }

  @Test("settings from a pipe do not block")
  func pipeForSettings() throws {
    try Program.withFolder([:]) { folder in
      let doctor = try Self.shell(
        "mkdir \"$FOLDER/sonde\" && mkfifo \"$FOLDER/sonde/config.toml\""
          + " && XDG_CONFIG_HOME=\"$FOLDER\" \"$SONDE\" doctor", in: folder)
      #expect(doctor.status == 0)
      #expect(doctor.output.contains("is not a file"))
    }
  }
}
