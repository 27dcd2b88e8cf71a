import Foundation
import Testing

@Suite("Data through a pipe", .waitsForPrograms, .timeLimit(.minutes(10)))
struct PipeTests {
  @Test(
    "standard input of every format is a store",
    arguments: [
      (#"[{"name": "Ann"}, {"name": "Bob"}]"#, "rows"),
      ("{\"name\": \"Ann\"}\n{\"name\": \"Bob\"}\n", "rows"),
      ("name,age\nAnn,7\nBob,\n", "rows"), ("age\tname\n7\tAnn\n\tBob\n", "rows"),
      (#"{"people": [{"name": "Ann"}, {"name": "Bob"}], "total": 2}"#, "people"),
      (#"{"data": {"people": [{"name": "Ann"}, {"name": "Bob"}]}}"#, "people"),
    ])
  func kinds(_ text: String, _ namespace: String) throws {
    let run = try Program.run(
      ["query", "-", "\(namespace) order name fields name", "--format", "csv"], input: text)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output == "name\r\nAnn\r\nBob\r\n" || run.output == "name\nAnn\nBob\n")
  }

  @Test("a printed answer can be queried again")
  func answers() throws {
    let printed = try Program.run(["query", "goals", "todos with goal", "--format", "json"])
    let counted = try Program.run(["query", "-", "todos count"], input: printed.output)
    let direct = try Program.run(["query", "goals", "todos count"])
    #expect(counted.output == direct.output, "\(counted.error)")
  }

  @Test(
    "unreadable input is reported with line and column",
    arguments: [("[{\"a\": 1},", "line 1"), ("\n", "the file has no header")])
  func broken(_ text: String, _ says: String) throws {
    let run = try Program.run(["query", "-", "rows"], input: text)
    #expect(run.status == 3, "\(run.output)")
    #expect(run.error.contains("Standard input cannot be read"), "\(run.error)")
    #expect(run.error.contains(says), "\(run.error)")
    #expect(!run.error.contains("rows."), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test("empty standard input is reported")
  func emptyInput() throws {
    let run = try Program.run(["query", "-", "rows"])
    #expect(run.status == 3)
    #expect(run.error.hasPrefix("sonde: Standard input is empty"), "\(run.error)")
  }

  @Test("piped data can be explored with keys from the terminal")
  func screen() throws {
    let terminal = try Tmux(columns: 100, rows: 24)
    try terminal.run(
      "printf '%s' '[{\"name\": \"Ann\"}, {\"name\": \"Bob\"}]' | \(Program.path) -; echo le''ft $?"
    )
    try terminal.wait { $0.contains("standard input › rows") && $0.contains("Bob") }
    try terminal.type("Fname = \"Bob\"")
    try terminal.press("Enter")
    try terminal.wait { !$0.contains("Ann") && $0.contains("Bob") }
    try terminal.type("q")
    try terminal.wait(for: "left 0")
    try terminal.run("stty -a | grep -c ' echo '")
    try terminal.wait(for: "1")
  }
}

@Suite("Manual page and completions", .waitsForPrograms)
struct ManualTests {
  @Test("the manual page names every command with its options and every exit status")
  func page() throws {
    let run = try Program.run(["manual"])
    #expect(run.status == 0)
    for words in [
      ".TH \"SONDE\"", ".SS \"sonde browse\"", ".SS \"sonde query\"", ".SS \"sonde manual\"",
      "\\fB\\-\\-format\\fR", "\\fI\\(ti/.config/sonde/config.toml\\fR", "\\fB130\\fR",
      ".SS \"sonde live\"", ".SS \"sonde live install\"", ".SS \"sonde live remove\"",
      "\n\\fBsonde live install\\fR \\fISTORE\\fR [\\fITABLES\\fR...]",
      ".SH \"QUERY LANGUAGE\"", ".SH \"EXAMPLES\"", "\\fB\\-\\-into\\fR \\fISTORE\\fR",
    ] {
      #expect(run.output.contains(words), "\(words)")
    }
    // A paragraph after a table is not part of its last row.
    #expect(run.output.contains(".PP\n\\fBdate \"2026\\-12\\-01\"\\fR marks a string"))
    // A displayed line must not be mistaken for a `:files` request.
    for line in run.output.split(separator: "\n") where line.hasPrefix(".") {
      let requests = [".TH", ".SH", ".SS", ".TP", ".PP", ".RS", ".RE", ".br", ".nf", ".fi"]
      #expect(requests.contains(String(line.prefix(3))), "\(line)")
    }
    #expect(run.output.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(
    "formatters report no warnings",
    arguments: [
      "mandoc -T lint -W warning \"$0\"",
      "groff -ww -man -K utf8 -T utf8 \"$0\" 2>&1 >/dev/null",
      "groff -ww -man -T ascii \"$0\" 2>&1 >/dev/null",
    ])
  func formatters(_ call: String) throws {
    guard Program.isInstalled(String(call.prefix { $0 != " " })) else { return }
    let command = "'\(Program.path)' manual >\"$0\"; \(call)"
    try Program.withFolder([:]) { folder in
      let end = try Child(["sh", "-c", command, folder + "/sonde.1"]).finish()
      #expect(end.output.isEmpty, "\(end.output)")
    }
  }

  @Test("each shell's completion script calls the program", arguments: ["bash", "zsh", "fish"])
  func shells(_ shell: String) throws {
    let run = try Program.run(["manual", "--completions", shell])
    #expect(run.status == 0)
    #expect(run.output.contains("---complete"))
    #expect(try Program.run(["manual", "--completions", "csh"]).status == 2)
  }

  @Test("help fits on a screen of 80×24 with the prompt", arguments: ["--help", "help"])
  func help(_ way: String) throws {
    let run = try Program.run([way])
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    // The last one is what stands after the last line end: the prompt.
    #expect(lines.last == "")
    #expect(lines.count <= 24)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
    #expect(run.status == 0 && run.error.isEmpty)
    for option in ["--write ", "--view ", "--fresh "] { #expect(run.output.contains(option)) }
    for command in ["browse", "query", "live", "doctor"] {
      #expect(run.output.contains("\n  \(command) "))
      #expect(try Program.run(["help", command]).output.contains("USAGE: sonde"))
    }
  }

  @Test(
    "a failed write of any output is an error",
    arguments: [
      "--help", "--version", "query --help", "help themes", "--generate-completion-script bash",
      "manual", "themes",
    ])
  func fullDisk(_ words: String) throws {
    let full = try Child(["/bin/sh", "-c", "exec \(Program.path) \(words) >/dev/full"]).finish()
    #expect(full.status == 1)
    #expect(full.complaints.contains("could not be written"), "\(full.complaints)")
  }
}
