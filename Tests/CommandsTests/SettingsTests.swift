import Foundation
import Testing

@Suite("Settings and themes", .waitsForPrograms, .timeLimit(.minutes(10)))
struct SettingsTests {
  /// A folder for XDG_CONFIG_HOME with these files below `sonde`.
  private static func withConfig<Result>(
    _ files: [String: String], _ body: (String) throws -> Result
  ) throws -> Result {
    try Program.withFolder([:]) { folder in
      for (name, text) in files {
        let file = URL(filePath: folder + "/sonde/" + name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      return try body(folder)
    }
  }

  private static func says(_ config: String) throws -> String {
    try withConfig(["config.toml": config]) { folder in
      let run = try Program.run(["doctor", "--json"], environment: ["XDG_CONFIG_HOME": folder])
      let sections =
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      let files = try #require(sections?["files"] as? [String: Any])
      return try #require(files["settings status"] as? String)
    }
  }

  @Test(
    "a fault names file, line and remedy",
    arguments: [
      ("theme = \"nord\"\n\nthem = 1", ["line 3", "'them'", "'theme'"]),
      ("ascii = \"yes\"", ["line 1", "true or false"]),
      ("color = \"12\"", ["line 1", "256"]),
      ("[keys]\nquit = \"q\"\npage-dwn = \"x\"", ["line 3", "'page-down'"]),
      ("[keys]\nquit = \"hyper-x\"", ["line 2", "hyper-x", "ctrl-x"]),
      ("[keys]\nquit = [1]", ["line 2", "list"]),
      (
        "[keys]\nquit = \"x\"\n\nhelp = \"x\"",
        ["line 4", "'x' is already used for 'quit' on line 2", "Choose another key for 'help'"]
      ),
      ("[keys]\norder = \"ctrl-x\"\nreset = \"ctrl-x\"", ["fine"]),
      ("[keys]\nmove-up = \"ctrl-x\"", ["fine"]),
      ("[keys]\norder = \"ctrl-x\"\nfind = [\"ctrl-x\", \"/\"]", ["line 3", "'order'"]),
      (
        "[stores.\"a.b/*\"]\nlabel = \"X\"\n[stores.\"c\"]\nlabl = \"X\"",
        ["line 4", "'labl'", "'label'"]
      ),
      ("[stores]\nx = 1", ["line 2", "the keys 'theme' and 'label'"]),
      ("[stores.\"x\"]\n\ntheme = 3", ["line 3", "a string in quotes"]),
      ("theme = \n", ["line 1", "whole file is ignored"]),
      ("theme = \"nord\"\n[é]", ["line 2", "after '['", "whole file is ignored"]),
      ("mouse = false\n[keys]\nquit = [\"q\", \"ctrl-q\"]", ["fine"]),
      ("[[command]]\nname = \"Count\"\nkey = \"alt-c\"\nrun = \"wc -l\"", ["fine"]),
      ("command = \"wc\"", ["line 1", "[[command]]"]),
      (
        "\n[[command]]\nname = \"x\"",
        ["line 2", "a command needs 'run', the command line for the shell."]
      ),
      ("[[command]]\nname = \"x\"\nrun = \" \"", ["line 3", "'run' must not be empty"]),
      ("[[command]]\nrun = \"wc\"", ["line 1", "a command needs 'name'"]),
      ("[[command]]\nname = \"x\"\nrun = 1", ["line 3", "'run' must be a string in quotes"]),
      ("[[command]]\nname = \"x\"\nrum = \"wc\"", ["line 3", "'rum'", "'run'"]),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\ninput = \"row\"\nformat = \"xml\"",
        ["line 5", "'format' must be 'lines', 'json' or 'csv', not 'xml'"]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\nformat = \"csv\"",
        ["line 4", "without 'input'. Set 'input' to 'row', 'selection' or 'result'."]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\ninput = \"all\"",
        ["line 4", "'none', 'row', 'selection' or 'result'"]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\noutput = \"file\"",
        ["line 4", "'notice', 'pager', 'terminal' or 'none'"]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\npane = \"menu\"",
        ["line 4", "'namespaces', 'schema', 'query', 'results' or 'record'"]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\nnamespaces = [1]",
        ["line 4", "a name in quotes, or a list"]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\nkey = \"hyper-x\"",
        ["line 4", "hyper-x", "ctrl-x"]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\nkey = \"q\"",
        ["line 4", "'q' is the key of 'quit'", "another key for 'x'"]
      ),
      // The keymap is complete before commands are read.
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\nkey = \"q\"\n[keys]\nquit = \"f9\"", ["fine"]
      ),
      // `c` is free in the query pane only.
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\nkey = \"c\"\npane = \"query\"", ["fine"]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\nkey = \"c\"", ["line 4", "'all-columns'"]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\nkey = \"f9\"\n"
          + "[[command]]\nname = \"y\"\nrun = \"wc\"\nkey = \"f9\"",
        ["line 8", "'F9' is already used for 'x' on line 1", "another key for 'y'"]
      ),
      (
        "[[command]]\nname = \"x\"\nrun = \"wc\"\nkey = \"f9\"\nnamespaces = \"a\"\n"
          + "[[command]]\nname = \"y\"\nrun = \"wc\"\nkey = \"f9\"\nnamespaces = [\"b\"]",
        ["fine"]
      ),
    ])
  func faults(_ config: String, _ words: [String]) throws {
    let said = try Self.says(config)
    for word in words { #expect(said.contains(word), "\(said)") }
    #expect(!said.contains("\n"))
  }

  @Test("keys follow the settings, also in help")
  func keys() throws {
    try Self.withConfig(["config.toml": "[keys]\nquit = \"ctrl-x\"\n"]) { folder in
      let environment = ["XDG_CONFIG_HOME": folder]
      let list = try Program.run(["keys"], environment: environment).output
      let quit = try #require(list.split(separator: "\n").first { $0.hasPrefix("quit ") })
      #expect(quit.contains("ctrl-x"))
      // Each key once, in however many panes it does the same.
      let mark = try #require(list.split(separator: "\n").first { $0.hasPrefix("mark ") })
      #expect(mark.split(separator: " ").filter { $0 == "space" }.count == 1)
      let terminal = try Tmux(environment: environment)
      try terminal.run("\(Program.path) world; echo left $?")
      try terminal.wait(for: SmallDemos.cities)
      try terminal.press("C-x")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("an invalid settings file is reported, and the program starts")
  func broken() throws {
    try Self.withConfig(["config.toml": "them = \"nord\"\n"]) { folder in
      let terminal = try Tmux(columns: 160, environment: ["XDG_CONFIG_HOME": folder])
      try terminal.run("\(Program.path) world; echo left $?")
      try terminal.wait { $0.contains(SmallDemos.cities) && $0.contains("line 1: unknown setting") }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("all mistakes of a command are listed, and a misspelled name only once")
  func severalOfCommand() throws {
    let config = """
      [[command]]
      nam = "x"
      run = 1
      output = "file"
      key = "hyper-x"
      format = "xml"
      """
    try Self.withConfig(["config.toml": config]) { folder in
      let file = folder + "/sonde/config.toml, line "
      let faults = [
        "2: unknown setting 'nam' of a command. Did you mean 'name'?",
        "3: 'run' must be a string in quotes.", "4: 'output' must be 'notice', ",
        "5: 'hyper-x' is not a key.", "6: 'format' must be 'lines', ",
      ].map { file + $0 }
      let lines = try Program.run(["keys"], environment: ["XDG_CONFIG_HOME": folder]).error
        .split(separator: "\n").map(String.init)
      #expect(lines.count == faults.count, "\(lines)")
      for (line, fault) in zip(lines, faults) { #expect(line.hasPrefix(fault), "\(lines)") }
    }
  }

  @Test("all mistakes are listed, one per line; the explorer shows the first and counts the others")
  func several() throws {
    let config = "[keys]\nhelp = \"hyper-x\"\nquid = \"x\"\n[stores.x]\nlabl = \"X\"\n"
    try Self.withConfig(["config.toml": "them = 1\nascii = \"yes\"\n" + config]) { folder in
      let environment = ["XDG_CONFIG_HOME": folder]
      let file = folder + "/sonde/config.toml, line "
      let faults = [
        "1: unknown setting 'them'", "2: 'ascii' must be true or false",
        "4: 'hyper-x' is not a key", "5: unknown command 'quid'",
        "7: unknown setting 'labl' of a store",
      ].map { file + $0 }
      let lines = try Program.run(["keys"], environment: environment).error
        .split(separator: "\n").map(String.init)
      #expect(lines.count == faults.count, "\(lines)")
      for (line, fault) in zip(lines, faults) { #expect(line.hasPrefix(fault), "\(lines)") }
      let doctor = try Program.run(["doctor"], environment: environment).output
      for fault in faults {
        #expect(doctor.contains("Correct the settings: " + fault), "\(doctor)")
      }
      let terminal = try Tmux(columns: 240, environment: environment)
      try terminal.run("\(Program.path) world; echo left $?")
      try terminal.wait {
        $0.contains(SmallDemos.cities) && $0.contains(faults[0])
          && $0.contains("(4 more; 'sonde doctor' lists them)") && $0.contains("? help")
      }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("user themes are listed, and invalid ones are reported")
  func themes() throws {
    let files = ["themes/mine.toml": "name = \"mine\"\n[roles]\ntitel = \"#fff\"\n"]
    try Self.withConfig(files) { folder in
      let environment = ["XDG_CONFIG_HOME": folder]
      let list = try Program.run(["themes"], environment: environment)
      #expect(list.output.split(separator: "\n").contains("mine"))
      #expect(list.output.contains("nord"))
      #expect(!list.output.contains("\u{1B}"))
      #expect(list.error.contains("line 3: unknown role 'titel'"))
      let doctor = try Program.run(["doctor"], environment: environment)
      #expect(doctor.output.contains("line 3: unknown role 'titel'"))
      let terminal = try Tmux(columns: 160, environment: environment)
      try terminal.run("\(Program.path) --theme mine world; echo left $?")
      try terminal.wait {
        $0.contains(SmallDemos.cities) && $0.contains("line 3: unknown role 'titel'")
      }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("changed settings and themes apply at once")
  func saved() throws {
    try Self.withConfig(["config.toml": "theme = \"mine\"\n", "themes/mine.toml": ""]) { folder in
      func save(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(
          to: URL(filePath: folder + "/sonde/" + name), options: .atomic)
      }
      let terminal = try Tmux(
        columns: 160, environment: ["XDG_CONFIG_HOME": folder, "NO_COLOR": ""])
      try terminal.run("\(Program.path) world; echo left $?")
      try terminal.wait(for: SmallDemos.cities)
      #expect(!terminal.sent.contains("[38;5;1m"))
      try save("themes/mine.toml", "[roles]\ntext = \"red\"\n")
      try terminal.wait(for: "Theme mine reloaded")
      #expect(terminal.sent.contains("[38;5;1m"))
      try save("themes/mine.toml", "[roles]\n\ntexd = \"red\"\n")
      try terminal.wait(
        for: "themes/mine.toml, line 3: unknown role 'texd'. Did you mean 'text'? "
          + "Keeping the previous version")
      // Saving the same text again reports that the file is valid.
      try save("themes/mine.toml", "[roles]\ntext = \"red\"\n")
      try terminal.wait(for: "Theme mine reloaded")
      try save(
        "config.toml",
        "theme = \"mine\"\n[keys]\nquit = \"f9\"\n[stores.\"wo*\"]\nlabel = \"OURS\"\n")
      try terminal.wait { $0.contains("Settings reloaded") && $0.contains("sonde   OURS ") }
      try save("config.toml", "theme = \"mine\"\n\n[keys]\nquid = \"f9\"\n")
      try terminal.wait {
        $0.contains("config.toml, line 4: unknown command 'quid'. Did you mean 'quit'?")
          && $0.contains("OURS")
      }
      try terminal.press("F9")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("a new settings file is noticed")
  func firstSettings() throws {
    try Program.withFolder([:]) { folder in
      let terminal = try Tmux(columns: 160, environment: ["XDG_CONFIG_HOME": folder])
      try terminal.run("\(Program.path) world; echo left $?")
      try terminal.wait(for: SmallDemos.cities)
      let settings = URL(filePath: folder + "/sonde/config.toml")
      try FileManager.default.createDirectory(
        at: settings.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("[keys]\nquit = \"f9\"\n".utf8).write(to: settings, options: .atomic)
      try terminal.wait(for: "Settings reloaded")
      try terminal.press("F9")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("the theme \"sonde\" and user pairs follow the background")
  func pairs() throws {
    try Self.withConfig(["themes/my-dark.toml": "", "themes/my-light.toml": ""]) { folder in
      let environment = ["XDG_CONFIG_HOME": folder]
      for name in ["sonde", "my", "colorblind", "my-light"] {
        let terminal = try Tmux(columns: 100, environment: environment)
        try terminal.run("\(Program.path) --theme \(name) world; echo left $?")
        try terminal.wait(for: SmallDemos.cities)
        try terminal.type("q")
        try terminal.wait(for: "left 0")
      }
      let run = try Program.run(["--theme", "mx", "world"], environment: environment)
      #expect(run.status == 2 && run.error.contains("Unknown theme 'mx'"))
    }
  }

  @Test("the last theme is restored unless overridden")
  func rememberedTheme() throws {
    try Self.withConfig(["config.toml": "theme = \"sonde-dark\"\n"]) { folder in
      func nextTheme(_ options: String = "", config: String = "/none") throws -> String {
        let terminal = try Tmux(
          columns: 160,
          environment: [
            "XDG_STATE_HOME": folder + "/state", "XDG_CONFIG_HOME": folder + config,
          ])
        try terminal.run("\(Program.path) \(options) goals; echo left $?")
        try terminal.wait(for: "todos")
        try terminal.type("\u{1B}t")
        let screen = try terminal.wait(for: "Theme ")
        try terminal.type("q")
        try terminal.wait(for: "left 0")
        return String(screen.firstMatch(of: /Theme ([a-z0-9-]+)/)?.1 ?? "")
      }
      let first = try nextTheme("--theme sonde-dark")
      let second = try nextTheme()
      #expect(first != second && !first.isEmpty && !second.isEmpty)
      #expect(try nextTheme("--theme sonde-dark") == first)
      #expect(try nextTheme(config: "") == first)
      #expect(try nextTheme() == second)
    }
  }

  @Test("a terminal sees samples of the themes")
  func samples() throws {
    let terminal = try Tmux(columns: 160, environment: ["NO_COLOR": ""])
    try terminal.run("\(Program.path) themes; echo left $?")
    let screen = try terminal.wait(for: "left 0")
    #expect(screen.contains("link →"))
  }

  @Test("a terminal without colors shows only names")
  func colorless() throws {
    let terminal = try Tmux(columns: 160, environment: ["NO_COLOR": "1"])
    try terminal.run("\(Program.path) themes; echo left $?")
    let screen = try terminal.wait(for: "left 0")
    #expect(screen.contains("nord"))
    #expect(!screen.contains("link →"))
  }
}

@Suite("sonde schema and sonde doctor", .waitsForPrograms)
struct SchemaCommandTests {
  @Test("text lists attributes with types, and links with both ends")
  func text() throws {
    // The demo next to the program, which has all cities.
    let run = try Child([Program.path, "schema", "world"], environment: ["SONDE_SHARE": nil])
      .finish()
    #expect(run.status == 0)
    #expect(run.output.contains("cities  26184"))
    #expect(
      run.output.split(separator: "\n").contains {
        $0.contains("country ") && $0.contains("→ countries (cities there)")
      })
  }

  @Test("JSON output is a schema.json: a folder with it has the same schema")
  func json() throws {
    let schema = try Program.run(["schema", "goals", "--format", "json"]).output
    let data = ["goals", "todos", "people", "tags"].reduce(into: ["schema.json": schema]) {
      $0[$1 + ".json"] = "[]"
    }
    try Program.withFolder(data) { folder in
      let again = try Program.run(["schema", folder, "--format", "json"])
      #expect(again.output == schema, "\(again.error)")
    }
  }

  @Test("a diagram has a box per namespace and an arrow per link")
  func dot() throws {
    let run = try Program.run(["schema", "goals", "--format", "dot"])
    #expect(run.output.hasPrefix("digraph schema {"))
    #expect(run.output.contains("\"todos\" -> \"goals\""))
    #expect(run.output.contains("\"people\" [label="))
  }

  @Test("Swift types name every namespace")
  func swift() throws {
    let run = try Program.run(["schema", "goals", "--format", "swift"])
    #expect(run.status == 0)
    #expect(run.output.contains("import InstaQL"))
    #expect(run.output.contains("\"todos\""))
    #expect(run.output.hasSuffix("\n") && !run.output.hasSuffix("\n\n"))
  }

  @Test("the doctor prints its report before it fails because of the store")
  func doctorOfMissingStore() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/missing.sonde"
      let run = try Program.run(["doctor", path])
      #expect(run.status == 3)
      #expect(run.output.contains("status   \(path) does not exist."), "\(run.output)")
      #expect(run.output.contains("what to do"), "\(run.output)")
      #expect(run.error.hasPrefix("sonde: \(path) does not exist."), "\(run.error)")
    }
  }

  @Test("the doctor identifies the terminal")
  func doctor() throws {
    let plain = try Program.run(["doctor"], environment: ["TERM": "nonsense"])
    #expect(plain.status == 0)
    #expect(plain.output.contains("will not open"))
    let terminal = try Tmux(columns: 90, rows: 40)
    try terminal.run("clear; \(Program.path) doctor")
    try terminal.wait { $0.contains("90 × 40") && $0.contains("demo data") }
  }
}
