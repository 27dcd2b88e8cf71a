import Explorer
import Notebooks
import Stores
import TerminalUI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs the user's pager, editor and shell: `PAGER`, `VISUAL`, `EDITOR` and `sh`.
///
/// They read the text from a temporary file that only the user can read.
struct PagerAndEditor: ExternalTools {
  func page(_ text: String, on terminal: any Terminal) -> String? {
    let program = Folders.variable("SONDE_PAGER") ?? Folders.variable("PAGER") ?? "less"
    // A pager that exits after a short text would show it only for an instant.
    let isLess = program.split(separator: " ").first.map { Files.name(of: String($0)) } == "less"
    let shown = TerminalSanitizer.text(text)
    return Self.withFile(holding: shown, ending: ".txt") { path in
      Self.run(isLess ? program + " -+F" : program, path, on: terminal).map {
        "The pager \($0)"
      }
    } ?? "Cannot write the temporary file for the pager"
  }

  func edit(_ text: String, ending: String, on terminal: any Terminal) -> EditedText {
    let program = Folders.variable("VISUAL") ?? Folders.variable("EDITOR") ?? "vi"
    // Editors add a line break to the end of a file.
    let hasBreak = text.hasSuffix("\n")
    let edited = Self.withFile(holding: hasBreak ? text : text + "\n", ending: ending) { path in
      if let trouble = Self.run(program, path, on: terminal) {
        return EditedText.failed("The editor \(trouble); nothing was changed")
      }
      return Self.read(path, keepingBreak: hasBreak)
    }
    guard let edited else { return .failed("Cannot write the temporary file for the editor") }
    return edited == .changed(text) ? .unchanged : edited
  }

  private static func read(_ path: String, keepingBreak: Bool) -> EditedText {
    // The editor may have replaced or deleted the file.
    guard let bytes = try? Files.bytes(of: path) else {
      return .failed("The editor deleted the file; nothing was changed")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return .failed("The edited text is not UTF-8; nothing was changed")
    }
    return .changed(!keepingBreak && text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  /// Runs a program through the shell, since the variable that names it may contain options.
  ///
  /// - Returns: An error message; nil on success.
  private static func run(_ program: String, _ path: String, on terminal: any Terminal) -> String? {
    let status: Int32
    do throws(TerminalError) {
      // `exec` replaces the shell if possible, so that signals reach the program itself.
      let line = (isPlain(program) ? "exec " : "") + program + " \"$1\""
      status = try terminal.run(["sh", "-c", line, "sh", path])
    } catch {
      return "cannot be run: \(error.message)"
    }
    switch status {
    case 0: return nil
    case 127: return "'\(program)' was not found; set PAGER, VISUAL or EDITOR"
    case 126: return "'\(program)' is not executable"
    case 129...: return "'\(program)' was killed by signal \(status - 128)"
    default: return "'\(program)' exited with status \(status)"
    }
  }

  /// Returns whether the program is a plain command with arguments, without other shell syntax.
  private static func isPlain(_ program: String) -> Bool {
    program.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: " -+_./,:@%".utf8.contains(byte)
      }
    }
  }

  /// Writes a text to a temporary file, calls `body` with its path, and removes it. Returns nil if
  /// it cannot be written.
  private static func withFile<Result>(
    holding text: String, ending: String, _ body: (String) -> Result
  ) -> Result? {
    var template = Array("\(Folders.temporary)/sonde-XXXXXX\(ending)".utf8CString)
    let file = mkstemps(&template, Int32(ending.utf8.count))
    guard file >= 0 else { return nil }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    let isWritten = (try? Output.write(Array(text.utf8), to: file)) ?? false
    close(file)
    return isWritten ? body(path) : nil
  }
}
