import Foundation
import Testing

@Suite("Commands of the settings in a real terminal", .waitsForPrograms, .timeLimit(.minutes(10)))
struct CustomCommandTests {
  private static let hostile = #"it's "so" $(touch pwned) `touch pwned`; touch pwned"#

  /// A folder with data in `data`, settings in `sonde` and the state of the program in `state`.
  private static func withFolders(
    config: String = "", project: String? = nil, _ body: (String, Tmux) throws -> Void
  ) throws {
    try Program.withFolder([:]) { folder in
      for name in ["data", "sonde", "state", "tmp"] {
        try FileManager.default.createDirectory(
          atPath: folder + "/" + name, withIntermediateDirectories: true)
      }
      let title = hostile.replacing("\"", with: "\\\"")
      try save(
        #"[{"id": "a", "title": "\#(title)\nsecond line"}, {"id": "b", "title": "two"}]"#,
        folder + "/data/notes.json")
      try save(config, folder + "/sonde/config.toml")
      if let project { try save(project, folder + "/data/.sonde.toml") }
      let terminal = try Tmux(
        columns: 120, rows: 30,
        environment: [
          "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder + "/state",
          "TMPDIR": folder + "/tmp", "LESS": "X", "PAGER": "less",
        ])
      try terminal.run("cd \(folder)")
      try body(folder, terminal)
    }
  }

  private static func save(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  private static func start(_ terminal: Tmux, _ data: String = "data") throws {
    try terminal.run("\(Program.path) \(data); echo le''ft $?")
    try terminal.wait { $0.contains("two") && $0.contains("Namespaces") }
    try terminal.type("4g")
  }

  private static let config = """
    [[command]]
    name = "Count the lines"
    key = "f9"
    input = "result"
    run = "wc -l | tr -d ' '"

    [[command]]
    name = "Write the title"
    key = "f8"
    run = 'printf %s "$SONDE_FIELD_title" >title; eval "true"; cat >input'
    input = "row"
    format = "json"
    output = "none"

    [[command]]
    name = "Fail"
    key = "f7"
    run = 'echo out; echo first >&2; echo "no such bed" >&2; exit 3'

    [[command]]
    name = "Wait"
    key = "f6"
    run = 'echo $$ >process; sleep 600'

    [[command]]
    name = "Show"
    key = "f5"
    run = 'cat; yes "$SONDE_NAMESPACE"'
    input = "result"
    output = "pager"

    [[command]]
    name = "Beside"
    key = "f4"
    run = 'sleep 30 & echo begun'

    [[command]]
    name = "Own"
    key = "f3"
    run = 'echo "id is $SONDE_ID"; read -r line; echo "got $line"'
    output = "terminal"
    """

  @Test("commands get rows and values, and no value is executed")
  func values() throws {
    try Self.withFolders(config: Self.config) { folder, terminal in
      try Self.start(terminal)
      try terminal.press("F9")
      try terminal.wait(for: "“Count the lines”: 2")
      try terminal.press("F8")
      try terminal.wait(for: "“Write the title” is done.")
      let title = try String(contentsOfFile: folder + "/title", encoding: .utf8)
      #expect(title == Self.hostile + "\nsecond line")
      let input = try String(contentsOfFile: folder + "/input", encoding: .utf8)
      #expect(input.contains("second line") && !input.contains("two"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/pwned"))
      // Rows for commands are not left behind.
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") == [])
      try terminal.press("F3")
      try terminal.wait { $0.contains("id is 5b8a3f9f") && !$0.contains("Namespaces") }
      try terminal.type("typed\r")
      try terminal.wait { $0.contains("got typed") && $0.contains("Press Enter") }
      try terminal.press("Enter")
      try terminal.wait(for: "Namespaces")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("a failing command shows its status and the last line of its errors")
  func failing() throws {
    try Self.withFolders(config: Self.config) { _, terminal in
      try Self.start(terminal)
      try terminal.press("F7")
      try terminal.wait(for: "“Fail” exited with status 3: no such bed")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("after the settings were edited, the screen returns at once unless the editor failed")
  func editedSettings() throws {
    try Self.withFolders { folder, terminal in
      try Self.save(
        "grep -q vi-keys \"$1\" && exit 3\necho 'vi-keys = true' >> \"$1\"\n", folder + "/editor")
      try terminal.run("VISUAL='sh \(folder)/editor'; export VISUAL")
      try Self.start(terminal)
      try terminal.type(":settings file\r")
      try terminal.wait { $0.contains("Settings reloaded") && $0.contains("Namespaces") }
      try terminal.type(":settings file\r")
      try terminal.wait(for: "[exit status 3]  Press Enter")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("exited with status 3") && $0.contains("Namespaces") }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("a command that does not end is canceled, and the terminal is as before")
  func interrupting() throws {
    try Self.withFolders(config: Self.config) { folder, terminal in
      try terminal.run("stty -a >before")
      try Self.start(terminal)
      try terminal.press("F6")
      try terminal.wait(for: "Running “Wait”")
      let file = URL(filePath: folder + "/process")
      try terminal.wait(for: "the command's file") {
        (try? String(contentsOf: file, encoding: .utf8))?.isEmpty == false
      }
      // Keys work while it runs.
      try terminal.type("1")
      try terminal.wait { $0.contains("1 command running") && !$0.contains("Running “Wait”") }
      try terminal.press("C-c")
      try terminal.wait { $0.contains("Canceled “Wait”") && $0.contains("Namespaces") }
      let text = try String(contentsOf: file, encoding: .utf8)
      let process = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
      try terminal.wait(for: "the end of the command") { kill(process, 0) != 0 }
      try terminal.type("4")
      // A process in the background keeps neither the screen nor the pipe.
      try terminal.press("F4")
      try terminal.wait(for: "begun")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      try terminal.run("stty -a | cmp - before && echo un''changed")
      try terminal.wait(for: "unchanged")
    }
  }

  @Test("a command and its children end with the program")
  func quitting() throws {
    let config = """
      [[command]]
      name = "Wait"
      key = "f6"
      run = 'sleep 600 & echo $! >process; wait'
      """
    try Self.withFolders(config: config) { folder, terminal in
      try Self.start(terminal)
      try terminal.press("F6")
      let file = URL(filePath: folder + "/process")
      try terminal.wait(for: "the command's file") {
        (try? String(contentsOf: file, encoding: .utf8))?.hasSuffix("\n") == true
      }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      let text = try String(contentsOf: file, encoding: .utf8)
      let process = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
      try terminal.wait(for: "the end of the command") { kill(process, 0) != 0 }
    }
  }

  @Test("endless output is cut and shown in the pager")
  func pager() throws {
    try Self.withFolders(config: Self.config) { _, terminal in
      try Self.start(terminal)
      try terminal.press("F5")
      try terminal.wait { $0.contains("notes\nnotes\nnotes") && !$0.contains("Namespaces") }
      try terminal.type("Gq")
      try terminal.wait(for: "Namespaces")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("a project's settings win, and its commands run only once allowed")
  func project() throws {
    let project = """
      label = "SHARED"
      [queries]
      only-two = 'notes filter title = "two"'
      [[command]]
      name = "Where"
      key = "f9"
      run = 'pwd; touch ran'
      """
    try Self.withFolders(config: Self.config, project: project) { folder, terminal in
      let ran = folder + "/data/ran"
      try terminal.run("\(Program.path) data; echo le''ft $?")
      try terminal.wait {
        $0.contains("SHARED") && $0.contains(".sonde.toml defines a command that is not allowed")
      }
      try terminal.type("4")
      try terminal.press("F9")
      try terminal.wait(for: "read the file first")
      try terminal.press("Escape")
      try terminal.wait { !$0.contains("read the file first") }
      #expect(!FileManager.default.fileExists(atPath: ran))
      try terminal.press("F9")
      try terminal.wait(for: "read the file first")
      try terminal.type("a")
      try terminal.wait {
        $0.contains(folder + "/data") && !$0.contains("read the file first")
      }
      #expect(FileManager.default.fileExists(atPath: ran))
      try FileManager.default.removeItem(atPath: ran)
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      // The answer is remembered.
      try terminal.run("clear; \(Program.path) data @only-two; echo le''ft $?")
      try terminal.wait { $0.contains("SHARED") && $0.contains("two") && !$0.contains("it's") }
      #expect(!(try terminal.screen().contains("not allowed")))
      try terminal.press("F9")
      try terminal.wait(for: folder + "/data")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      // A changed file asks again.
      try Self.save(project + "\n# changed", folder + "/data/.sonde.toml")
      try FileManager.default.removeItem(atPath: ran)
      try terminal.run("clear; \(Program.path) data/notes.json; echo le''ft $?")
      try terminal.wait(for: "not allowed to run yet")
      try terminal.type("4")
      try terminal.press("F9")
      try terminal.wait(for: "read the file first")
      try terminal.press("Escape")
      try terminal.wait { !$0.contains("read the file first") }
      #expect(!FileManager.default.fileExists(atPath: ran))
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("a project's settings apply when they are saved, and their commands ask again")
  func watching() throws {
    try Self.withFolders(config: Self.config) { folder, terminal in
      let (file, ran) = (folder + "/data/.sonde.toml", folder + "/data/ran")
      try Self.start(terminal)
      let command = """
        [[command]]
        name = "Where"
        key = "f9"
        run = 'touch ran; pwd'
        """
      try Self.save("label = \"FIRST\"\n" + command, file)
      try terminal.wait { $0.contains("FIRST") && $0.contains("a command that is not allowed") }
      try terminal.press("F9")
      try terminal.wait(for: "read the file first")
      try terminal.type("a")
      try terminal.wait { $0.contains(folder + "/data") && !$0.contains("read the file first") }
      try terminal.wait(for: "the command's file") { FileManager.default.fileExists(atPath: ran) }
      // Another version is not allowed.
      try FileManager.default.removeItem(atPath: ran)
      try Self.save("label = \"SECOND\"\n" + command, file)
      try terminal.wait { $0.contains("SECOND") && $0.contains("a command that is not allowed") }
      try terminal.press("F9")
      try terminal.wait(for: "read the file first")
      try terminal.press("Escape")
      try terminal.wait { !$0.contains("read the file first") }
      #expect(!FileManager.default.fileExists(atPath: ran))
      // A broken file changes nothing; the allowed version stays allowed.
      try Self.save("label = \n" + command, file)
      try terminal.wait { $0.contains(".sonde.toml, line 1") && $0.contains("SECOND") }
      try Self.save("label = \"FIRST\"\n" + command, file)
      try terminal.wait { $0.contains("FIRST") && $0.contains("Settings reloaded") }
      try terminal.press("F9")
      try terminal.wait(for: "the command's file") { FileManager.default.fileExists(atPath: ran) }
      // Without the file, the settings of the user remain.
      try FileManager.default.removeItem(atPath: file)
      try terminal.wait { !$0.contains("FIRST") && $0.contains("Settings reloaded") }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test(
    "errors of a project's settings name file and line",
    arguments: [
      ("theme = \"nord\"", "fine"),
      ("\nkeys = 1", "line 2: 'keys' is a user setting"),
      ("lable = \"X\"", "line 1: unknown setting 'lable'. Did you mean 'label'?"),
      ("[queries]\na = 1", "line 2: 'a' must be a string in quotes."),
      ("[columns]\nnotes = 1", "line 2: 'notes' must be a TOML table with the keys 'order'"),
      ("[columns.notes]\nhidden = \"x\"", "line 2: 'hidden' must be a list"),
      ("[columns.notes]\nhiden = []", "line 2: unknown setting 'hiden'"),
      (
        "[[command]]\nname = \"x\"\nrun = \"y\"\nkey = \"f10\"",
        "line 4: 'F10' is the key of 'quit'"
      ),
    ])
  func projectFaults(_ project: String, _ words: String) throws {
    try Program.withFolder([
      "notes.json": "[]", ".sonde.toml": project,
    ]) { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/sonde", withIntermediateDirectories: true)
      try Self.save("[keys]\nquit = [\"q\", \"f10\"]", folder + "/sonde/config.toml")
      let run = try Program.run(
        ["doctor", folder, "--json"], environment: ["XDG_CONFIG_HOME": folder])
      let sections =
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      let files = try #require(sections?["files"] as? [String: Any])
      let said = try #require(files["project settings status"] as? String)
      #expect(said.contains(words), "\(said)")
    }
  }
}
