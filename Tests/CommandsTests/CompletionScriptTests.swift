import Foundation
import Testing

@Suite("Shell completion", .waitsForPrograms)
struct CompletionScriptTests {
  @Test(
    "the program completes the end of a line",
    arguments: [
      ("sonde wor", "world"), ("sonde tra", "transact"), ("sonde query wor", "world"),
      ("sonde export wor", "world"), ("sonde import goa", "goals"), ("sonde demo co", "company"),
      ("sonde help lang", "language"), ("sonde help que", "query"),
      ("sonde --them", "--theme"), ("sonde query world --form", "--format"),
      ("sonde world --theme nor", "nord"), ("sonde query world --format nd", "ndjson"),
      ("sonde query world --format=nd", "--format=ndjson"),
      ("sonde world --theme=nor", "--theme=nord"),
      ("sonde export world --format jsonl", "jsonl"), ("sonde schema world --format sw", "swift"),
      ("sonde manual --completions zs", "zsh"), ("sonde query --color 25", "256"),
      ("sonde query world continen", "continents"),
      ("sonde query world 'cities filter popu", "cities filter population"),
      ("sonde world cities filter country.contin", "country.continent"),
      ("sonde world ./plan.sonde cities filter country.contin", "country.continent"),
      ("sonde query world \"cities order popul", "cities order population"),
      ("sonde query goals @lat", "@late"), ("ls; sonde quer", "query"),
      ("sonde liv", "live"), ("sonde live ins", "install"), ("sonde live rem", "remove"),
      ("sonde live install --dr", "--dry-run"), ("sonde help live rem", "remove"),
    ])
  func program(line: String, word: String) throws {
    try Self.withQuery { environment, _ in
      let run = try Program.run(["---complete", line], environment: environment)
      let words = run.output.split(separator: "\n").map {
        String($0.prefix { $0 != "\t" })
      }
      #expect(words.filter { $0 != ":files" } == [word], "\(run.output) \(run.error)")
    }
  }

  @Test(
    "files are offered only for a store or file argument",
    arguments: [
      ("sonde ", true), ("sonde query ", true), ("sonde import ", true),
      ("sonde import a.csv --into ", true), ("sonde serve x --tls-key ", true),
      ("sonde query world ", false), ("sonde query world --format ", false),
      ("sonde demo ", false), ("sonde --", false), ("sonde world ", false),
      ("sonde query world --token-file=", false),
      ("sonde world ./", true), ("sonde world ./plan.sonde ./", true),
      ("sonde query world ./", false),
    ])
  func files(line: String, areOffered: Bool) throws {
    let run = try Program.run(["---complete", line])
    #expect(run.output.hasSuffix(":files\n") == areOffered, "\(run.output)")
  }

  @Test("special characters are offered only in quotes")
  func signs() throws {
    let bare = try Program.run(["---complete", "sonde query world cities filter population "])
    #expect(!bare.output.contains("<"))
    let quoted = try Program.run(["---complete", "sonde query world 'cities filter population "])
    #expect(quoted.output.contains("cities filter population <="))
  }

  @Test(
    "bash inserts the completion",
    arguments: [
      ("sonde wor", "wor", "world"), ("sonde query pl", "pl", "plan.sonde"),
      ("sonde query goals @la", "la", "late"),
      ("sonde query world 'cities filter popu", "cities filter popu", "cities filter population"),
      ("sonde live in", "in", "install"), ("sonde help live re", "re", "remove"),
      ("sonde world --theme=nor", "nor", "nord"),
    ])
  func bash(line: String, current: String, word: String) throws {
    try Self.withQuery { environment, folder in
      let commands = """
        cd '\(folder)'; source ./sonde.bash; COMP_LINE="$1"; COMP_POINT=${#COMP_LINE}
        _sonde '\(Program.path)' "$2" ''; printf '%s\\n' "${COMPREPLY[@]}"
        """
      try Self.write("bash", to: folder + "/sonde.bash")
      let end = try Child(
        ["/bin/bash", "-c", commands, "test", line, current], environment: environment
      ).finish()
      #expect(end.output == word + "\n", "\(end.complaints)")
    }
  }

  @Test(
    "zsh inserts the completion", .enabled(if: Program.isInstalled("zsh")),
    arguments: [
      ("sonde ", "", "wor", "world"),
      ("sonde query world ", "'", "cities filter popu", "cities filter population"),
      ("sonde live ", "", "in", "install"), ("sonde help live ", "", "re", "remove"),
    ])
  func zsh(line: String, quote: String, typed: String, word: String) throws {
    try Self.withQuery { environment, folder in
      try Self.write("zsh", to: folder + "/_sonde")
      let commands = """
        compdef() { }; source '\(folder)/_sonde'; words=('\(Program.path)')
        # As in the line editor, LBUFFER lacks the quote of the completed word.
        LBUFFER="$1$3"; QIPREFIX="$2"; PREFIX="$3"
        compadd() { print -l -- "${offered[@]}" }; _files() { print FILES }
        _sonde
        """
      let end = try Child(
        ["zsh", "-f", "-c", commands, "test", line, quote, typed], environment: environment
      ).finish()
      #expect(end.output.contains(word), "\(end.output)\(end.complaints)")
    }
  }

  @Test(
    "fish inserts the completion", .enabled(if: Program.isInstalled("fish")),
    arguments: [
      ("wor", "world"), ("query pl", "plan.sonde"), ("query world continen", "continents"),
      ("live in", "install"), ("help live re", "remove"),
    ])
  func fish(line: String, word: String) throws {
    try Self.withQuery { environment, folder in
      try Self.write("fish", to: folder + "/sonde.fish")
      let commands = """
        cd '\(folder)'; source sonde.fish; complete -C '\(Program.path) \(line)'
        """
      var environment = environment
      environment["HOME"] = folder
      let end = try Child(["fish", "--no-config", "-c", commands], environment: environment)
        .finish()
      #expect(end.output.contains(word), "\(end.output)\(end.complaints)")
    }
  }

  private static func write(_ shell: String, to path: String) throws {
    let script = try Program.run(["manual", "--completions", shell])
    #expect(script.status == 0)
    try Data(script.output.utf8).write(to: URL(filePath: path))
  }

  /// A folder with a store's file, and an environment whose state has a saved query.
  private static func withQuery(_ body: ([String: String], String) throws -> Void) throws {
    try Program.withFolder(["plan.sonde": ""]) { folder in
      let queries = folder + "/sonde/queries"
      try FileManager.default.createDirectory(
        atPath: queries, withIntermediateDirectories: true)
      try Data("todos filter not done\n".utf8)
        .write(to: URL(filePath: queries + "/late.sonde-query"))
      try body(["XDG_STATE_HOME": folder], folder)
    }
  }
}

extension Program {
  /// Whether a shell finds a program of this name.
  static func isInstalled(_ name: String) -> Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.contains {
      FileManager.default.isExecutableFile(atPath: $0 + "/" + name)
    }
  }
}
