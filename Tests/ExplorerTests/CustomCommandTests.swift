import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Commands of the settings")
struct CustomCommandTests {
  private static func commands(
    isOfProject: Bool = false, isTrusted: Bool = false
  ) throws -> CustomCommands {
    let project = isOfProject ? "/data" : nil
    return CustomCommands(
      [
        CustomCommand(
          name: "Water this plant", line: "echo $SONDE_ID", key: Key(named: "f9"),
          scope: .init(namespaces: ["plants"]), input: .init(.row, as: .json), output: .pager,
          project: project),
        CustomCommand(
          name: "Tidy up", line: "true", key: Key(named: "alt-z"), project: project),
        CustomCommand(name: "Weigh", line: "cat", input: .init(.selection), project: project),
        CustomCommand(
          name: "All of them", line: "wc", input: .init(.result, as: .csv), project: project),
        CustomCommand(
          name: "Look around", line: "ls", key: Key(named: "f7"), output: .pager, project: project),
        CustomCommand(
          name: "Take over", line: "vi", key: Key(named: "f6"), output: .terminal,
          project: project),
      ],
      project: isOfProject
        ? ProjectFile(
          path: "/data/.sonde.toml", text: "[[command]] …", isTrusted: isTrusted)
        : nil)
  }

  private static func screen(
    query: String = "plants", isOfProject: Bool = false, isTrusted: Bool = false
  ) throws -> Screen {
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan(query),
      commands: commands(isOfProject: isOfProject, isTrusted: isTrusted))
    screen.press("4")
    return screen
  }

  @Test("the palette lists commands with their keys, and those for other namespaces dimmed")
  func palette() throws {
    var screen = try Self.screen(query: "beds")
    screen.press(":")
    let lines = screen.text.split(separator: "\n")
    let water = try #require(lines.first { $0.contains("Water this plant") })
    #expect(water.contains("only for plants"), "\(screen.text)")
    let tidy = try #require(lines.first { $0.contains("Tidy up") })
    #expect(tidy.contains("alt-z"), "\(screen.text)")
    #expect(lines.contains { $0.contains("All of them") && $0.contains("command") })
    screen.type("tidy")
    screen.press("enter")
    #expect(screen.ran?.command.line == "true")
    #expect(screen.ran?.input == nil)
    screen.press(":")
    screen.type("water")
    screen.press("enter")
    #expect(screen.notice == .commandOnlyFor("Water this plant", ["plants"]))
    #expect(screen.ordered == nil)
  }

  @Test("the key help lists commands that have a key")
  func help() throws {
    var screen = try Self.screen()
    screen.press("?")
    var text = screen.text
    while screen.text.contains("lines below") || screen.text.contains("1 line below") {
      screen.press("pagedown")
      text += screen.text
    }
    #expect(text.contains("Commands from the settings"), "\(text)")
    #expect(text.contains("F9") && text.contains("Water this plant"))
    #expect(!text.contains("Weigh"))
  }

  @Test("a key runs a command with the row under the cursor as its input")
  func row() throws {
    var screen = try Self.screen()
    screen.press("down f9")
    let order = try #require(screen.ordered)
    #expect(order.form == .result(.json) && order.rows == .shown)
    #expect(order.answer.rows.count == 1)
    let command = try #require(order.command)
    #expect(command.line == "echo $SONDE_ID" && command.output == .pager)
    #expect(command.variables["SONDE_NAMESPACE"] == "plants")
    #expect(command.variables["SONDE_ID"]?.isEmpty == false)
    #expect(command.variables["SONDE_FIELD_key"] == "iris")
    #expect(command.variables["SONDE_LABEL"] == "Iris")
    #expect(command.variables["SONDE_STORE"] == "garden")
    #expect(command.variables["SONDE_QUERY"] == "plants")
    #expect(command.variables["SONDE_FIELD_height"] == "80")
    #expect(command.variables["SONDE_FIELD_edible"] == "false")
    screen.respond(.exported(.piped(command: command, file: "/tmp/folder/rows", rows: 1)))
    #expect(screen.ran?.command == command && screen.ran?.input == "/tmp/folder/rows")
    #expect(screen.notice == .commandRunning("Water this plant"))
  }

  @Test("a command in the record pane gets the row of the record")
  func record() throws {
    var screen = try Self.screen()
    screen.press("down 5 down f9")
    #expect(screen.ordered?.command?.variables["SONDE_LABEL"] == "Iris", "\(screen.text)")
  }

  @Test("a selection is the selected rows, or the row under the cursor")
  func selection() throws {
    var screen = try Self.screen()
    screen.press(":")
    screen.type("weigh")
    screen.press("enter")
    #expect(screen.ordered?.answer.rows.count == 1)
    screen.respond(.exported(.cancelled))
    screen.press("space down space :")
    screen.type("weigh")
    screen.press("enter")
    guard case .marked(let rows)? = screen.ordered?.rows else {
      Issue.record("\(String(describing: screen.ordered))")
      return
    }
    #expect(rows.count == 2)
  }

  @Test("the whole result has all rows of the query")
  func result() throws {
    var screen = try Self.screen()
    screen.press(":")
    screen.type("all of them")
    screen.press("enter")
    let order = try #require(screen.ordered)
    #expect(order.form == .result(.csv) && order.rows == .shown && order.answer.rows.count == 5)
  }

  @Test("a command without a row says that it needs one")
  func noRow() throws {
    var screen = try Self.screen()
    screen.press("Q ctrl-u")
    screen.type("plants filter height > 99999")
    screen.press("enter f9")
    #expect(screen.notice == .commandNeedsRow("Water this plant"))
    #expect(screen.ordered == nil)
  }

  @Test("values stay values: quotes, line ends and substitutions are only in variables")
  func hostile() throws {
    let hostile = "a'b\"c\n$(touch x) `touch y`; touch z"
    let text = JSONWriter.text(.text(hostile))
    let plants = #"[{"key": "fig", "name": \#(text), "note": \#(text)}]"#
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants"), store: Garden.store(plants: plants),
      commands: Self.commands())
    screen.press("4 f9")
    let command = try #require(screen.ordered?.command)
    #expect(command.line == "echo $SONDE_ID" && command.name == "Water this plant")
    #expect(command.variables["SONDE_FIELD_note"] == hostile)
    #expect(command.variables["SONDE_LABEL"] == hostile)
  }

  @Test("a value that the environment cannot hold is left out")
  func longValues() throws {
    let long = String(repeating: "x", count: 70_000)
    let plants = #"[{"key": "fig", "name": "Fig", "note": "\#(long)"}]"#
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants"), store: Garden.store(plants: plants),
      commands: Self.commands())
    screen.press("4 f9")
    let command = try #require(screen.ordered?.command)
    #expect(command.variables["SONDE_FIELD_note"] == nil)
    #expect(command.variables["SONDE_FIELD_name"] == "Fig")
  }

  // MARK: In the background

  @Test("a command runs in the background, and only one that owns the terminal takes the screen")
  func background() throws {
    var screen = try Self.screen()
    screen.press("alt-z")
    #expect(screen.notice == .commandRunning("Tidy up"))
    #expect(screen.row(0).contains("1 command running"), "\(screen.row(0))")
    screen.press("down f7")
    #expect(screen.row(0).contains("2 commands running"))
    #expect(screen.effects.isEmpty)
    screen.press("f6")
    guard case .run(let command, nil)? = screen.effects.last else {
      Issue.record("\(screen.effects)")
      return
    }
    #expect(command.line == "vi")
  }

  @Test("a key cancels the newest command, then the one before, and then it leaves")
  func canceling() throws {
    var screen = try Self.screen()
    screen.press("alt-z f7 ctrl-c")
    #expect(screen.notice == .commandCanceled("Look around"))
    guard case .runCommand(let command, nil)? = screen.canceled.last else {
      Issue.record("\(screen.canceled)")
      return
    }
    #expect(command.name == "Look around")
    // It has nothing more to report.
    screen.respond(.commandEnded(.ended(CommandOutput(status: 143))))
    #expect(screen.notice == .commandCanceled("Look around"))
    screen.press("ctrl-c")
    #expect(screen.notice == .commandCanceled("Tidy up"))
    #expect(!screen.row(0).contains("running"))
    screen.press("ctrl-c")
    #expect(screen.effects.last == .quit(status: 130))
  }

  @Test("the output of a command for the pager opens where the command was started")
  func paged() throws {
    var screen = try Self.screen()
    screen.press("f7")
    screen.respond(.commandEnded(.ended(CommandOutput(status: 0, text: "one\ntwo\n"))))
    #expect(screen.effects == [.page("one\ntwo\n")])
  }

  @Test("elsewhere the output waits until it is viewed", arguments: ["1", "Q", "C", "t"])
  func elsewhere(way: String) throws {
    var screen = try Self.screen()
    screen.press("f7 " + way)
    screen.respond(
      .commandEnded(.ended(CommandOutput(status: 141, text: "one\ntwo\n", isCut: true))))
    #expect(screen.effects.isEmpty)
    #expect(screen.text.contains("“Look around” is done: 2 lines of output."), "\(screen.text)")
    screen.press("escape escape 4 o")
    #expect(screen.text.contains("output of “Look around”"), "\(screen.text)")
    screen.press("o")
    #expect(screen.effects == [.page("one\ntwo\n\n\(Notice.outputCut.text)\n")])
  }

  @Test("a failing command says so")
  func failing() throws {
    var screen = try Self.screen()
    screen.press("alt-z")
    screen.respond(.commandEnded(.ended(CommandOutput(status: 2, error: "no bed"))))
    #expect(screen.notice == .commandFailed("Tidy up", status: 2, error: "no bed"))
    screen.press("alt-z")
    screen.respond(.commandEnded(.notRun("no shell")))
    #expect(screen.notice == .commandNotRun("Tidy up", "no shell"))
  }

  // MARK: Projects

  @Test("a command of a project asks once, and then runs")
  func trust() throws {
    var screen = try Self.screen(isOfProject: true)
    screen.press(":")
    #expect(screen.text.contains("not allowed yet"))
    screen.press("escape alt-z")
    #expect(screen.text.contains("run in your shell with all your permissions"), "\(screen.text)")
    #expect(screen.text.contains("asks again if the file changes"), "\(screen.text)")
    #expect(screen.ran == nil)
    screen.press("n")
    #expect(screen.ran == nil && screen.hears("Results"))
    screen.press("alt-z")
    screen.press("a")
    #expect(
      screen.effects.contains(.save(.trustedFile(path: "/data/.sonde.toml", text: "[[command]] …")))
    )
    #expect(screen.ran?.command.line == "true")
    #expect(screen.ran?.command.folder == "/data")
    screen.press("f9")
    #expect(screen.ordered != nil)
  }

  @Test("a file that changes while the question is open is not allowed by the answer")
  func changedMeanwhile() throws {
    var screen = try Self.screen(isOfProject: true)
    screen.press("alt-z")
    let changed = CustomCommands(
      [CustomCommand(name: "Tidy up", line: "rm -r .", key: Key(named: "alt-z"), project: "/data")],
      project: ProjectFile(path: "/data/.sonde.toml", text: "changed"))
    screen.handle(.liveSettings(LiveSettings(ExplorerSettings(commands: changed))))
    screen.press("a")
    #expect(screen.ran == nil)
    #expect(screen.notice == .commandChanged("Tidy up"))
    #expect(!screen.effects.contains { if case .save(.trustedFile) = $0 { true } else { false } })
    screen.press("alt-z")
    #expect(screen.text.contains("run in your shell with all your permissions"), "\(screen.text)")
    screen.press("a")
    #expect(screen.ran?.command.line == "rm -r .")
  }

  @Test("the file can be read before it is allowed")
  func reading() throws {
    var screen = try Self.screen(isOfProject: true)
    screen.press("alt-z r")
    #expect(screen.effects.contains(.page("[[command]] …")))
    #expect(screen.text.contains("Allow those in"))
    #expect(screen.ran == nil)
  }

  @Test("an allowed project runs at once, and stays allowed when the settings change")
  func allowed() throws {
    var screen = try Self.screen(isOfProject: true, isTrusted: true)
    screen.press("alt-z")
    #expect(screen.ran?.command.line == "true")
    screen.handle(
      .liveSettings(
        LiveSettings(
          ExplorerSettings(commands: try Self.commands(isOfProject: true)))))
    screen.press("f9")
    #expect(screen.ordered != nil)
  }
}

extension Screen {
  /// The last command that was run in the background.
  fileprivate var ran: (command: ShellCommand, input: String?)? {
    for (_, request) in requests.reversed() {
      if case .runCommand(let command, let input) = request { return (command, input) }
    }
    return nil
  }
}
