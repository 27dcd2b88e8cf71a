import Foundation
import Testing

@Suite("What the shells complete", .waitsForPrograms)
struct CompletionScriptTests {
  /// What bash offers behind the words of a command line, the last of which is begun.
  private static func offered(_ line: String, in folder: String) throws -> [String] {
    let script = folder + "/sonde.bash"
    try Data(try Program.run(["manual", "--completions", "bash"]).output.utf8)
      .write(to: URL(filePath: script))
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    // The function is called as the shell calls it; what the shell does where it offers nothing is
    // asked of compgen.
    let commands = """
      cd \(folder); sonde() { \(Program.path) "$@"; }; source ./sonde.bash
      COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
      COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
      _sonde sonde '\(words.last ?? "")' '\(words.dropLast().last ?? "")'
      [ ${#COMPREPLY[@]} = 0 ] && complete -p sonde | grep -q 'o default' &&
        COMPREPLY=($(compgen -f -- '\(words.last ?? "")'))
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let end = try Child(["/bin/bash", "-c", commands]).finish()
    return end.output.split(separator: "\n").map(String.init)
  }

  @Test(
    "a store is completed where a command may stand, and behind one",
    arguments: [
      ("sonde wor", "world"), ("sonde tra", "transact"), ("sonde pl", "plan.sonde"),
      ("sonde query pl", "plan.sonde"), ("sonde import pl", "plan.sonde"),
      ("sonde export plan.sonde --to pl", "plan.sonde"), ("sonde demo co", "company"),
      ("sonde browse --theme nor", "nord"), ("sonde browse --token-file pl", "plan.sonde"),
    ])
  func bash(line: String, word: String) throws {
    try Program.withFolder(["plan.sonde": ""]) { folder in
      let offered = try Self.offered(line, in: folder)
      #expect(offered == [word], "\(offered)")
    }
  }

  @Test("zsh and fish are told of files and demos as well", arguments: ["zsh", "fish"])
  func others(shell: String) throws {
    let script = try Program.run(["manual", "--completions", shell]).output
    let first = script.split(separator: "\n").filter {
      shell == "zsh" ? $0.contains("_files") || $0.contains("compadd -- ") : $0.contains(" -Fa ")
    }
    #expect(first.contains { $0.contains("world") }, "\(first)")
    #expect(shell == "fish" || script.contains("'*:query:'") && script.contains(":store:_files"))
  }
}
