import ArgumentParser
import CTerminal
import Explorer
import Ncurses
import Notebooks
import Stores
import TerminalUI
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `sonde doctor`: prints what this terminal supports, where files are, and advice on problems.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the terminal, the settings and a store.",
    discussion: """
      STORE is opened read-only. The last paragraph of the output gives advice on the problems found. \
      If the store cannot be opened, the exit status is 3, or 2 if its address is invalid.
      """)

  @Argument(
    help: ArgumentHelp("The store to check; any STORE that other commands accept."),
    completion: .file())
  var store: String?

  @Flag(help: "Print a JSON object.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    var advice: [String] = []
    var sections = [program, terminal(&advice), files(&advice)]
    if Folders.variable("TMUX") != nil { sections.append(("tmux", Self.tmux(advice: &advice))) }
    let checked = store.map { Self.facts(ofStore: $0, advice: &advice) }
    if let checked { sections.append(("store", checked.facts)) }
    let numbered = advice.enumerated().map { place, sentence in
      JSONObject.Member(key: "\(place + 1)", value: .text(sentence))
    }
    sections.append(
      ("what to do", numbered.isEmpty ? ["-": "nothing"] : JSONObject(unique: numbered)))
    let text =
      json
      ? JSONWriter.text(
        .object(JSONObject(sections.map { .init(key: $0.name, value: .object($0.facts)) })))
      : sections.map(Self.paragraph).joined(separator: "\n\n")
    _ = try Output.write(Array((text + "\n").utf8))
    if let failure = checked?.failure { throw failure }
  }

  private typealias Section = (name: String, facts: JSONObject)

  private static func paragraph(_ section: Section) -> String {
    let width = section.facts.keys.map { TextWidth.columns(of: $0) }.max() ?? 0
    let lines = section.facts.members.map { member in
      let value: String =
        switch member.value {
        case .text(let text): text
        case .bool(let flag): flag ? "yes" : "no"
        case .null: "–"
        case .integer, .double, .array, .object: JSONWriter.text(member.value)
        }
      return "  " + member.key
        + String(repeating: " ", count: width - TextWidth.columns(of: member.key) + 2) + value
    }
    return ([section.name] + lines).joined(separator: "\n")
  }

  private var program: Section {
    (
      "program",
      [
        "version": .text(Release.version),
        "sqlite": .text(StoreLibraries.sqlite),
        "ncurses": .text(NcursesTerminal.libraryVersion),
        "libpq (PostgreSQL)": .text(Self.libpq),
      ]
    )
  }

  private func terminal(_ advice: inout [String]) -> Section {
    let profile = TerminalProfile(variable: Folders.variable)
    let isUTF8 = ct_set_locale()
    var (columns, rows): (Int32, Int32) = (0, 0)
    let hasSize = [STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO].contains {
      ct_size($0, &columns, &rows)
    }
    let isUsable = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    var facts: JSONObject = [
      "type": .text(profile.type.isEmpty ? "TERM is not set" : profile.type),
      "description": .text(Self.description(of: profile)),
      "input and output are terminals": .bool(isUsable),
      "size": hasSize ? .text("\(columns) × \(rows)") : .null,
      "24-bit colors claimed": .bool(profile.claimsDirectColor),
      "NO_COLOR": .bool(profile.wantsNoColor),
      "UTF-8": .bool(isUTF8),
      "width of 漢": .integer(Int64(ct_width(0x6F22))),
      "width of 🙂": .integer(Int64(ct_width(0x1F642))),
      "mouse": .text(profile.isModern ? "enabled (SGR reports)" : "disabled"),
      "clipboard (OSC 52)": .text(Self.clipboard(profile)),
    ]
    if !isUTF8 { advice.append("Set LANG to a UTF-8 locale, for example LANG=C.UTF-8.") }
    if profile.type.isEmpty { advice.append("Set TERM, for example TERM=xterm-256color.") }
    if profile.isInsideTmux { facts["inside"] = "tmux" }
    if profile.isInsideScreen { facts["inside"] = "GNU screen" }
    return ("terminal", facts)
  }

  private static func description(of profile: TerminalProfile) -> String {
    guard !profile.type.isEmpty else { return "none: set TERM, for example TERM=xterm-256color" }
    for type in [profile.type] + profile.substitutes {
      switch ct_check_type(type, STDOUT_FILENO) {
      case 1: return type == profile.type ? "known" : "unknown, treated as \(type)"
      case -2: return "cannot position the cursor; the explorer will not open"
      default: continue
      }
    }
    return "unknown; the explorer will not open. Try TERM=xterm-256color"
  }

  private static func clipboard(_ profile: TerminalProfile) -> String {
    if !profile.isModern { return "disabled" }
    return profile.isInsideTmux ? "enabled; tmux needs set-clipboard on" : "enabled"
  }

  /// Adds facts about the project's settings file in the folder of the store's data.
  private func describeProject(
    user: Settings, in facts: inout JSONObject, _ advice: inout [String]
  ) -> ProjectSettings? {
    guard let store, let location = try? StoreLocation(store) else { return nil }
    let project = ProjectSettings(folder: location.projectFolder, user: user)
    facts["project settings"] = project.map { .text($0.file.path) } ?? .null
    guard let project else { return nil }
    facts["project settings status"] = .text(project.warnings.summary(Self.below) ?? "fine")
    if !project.settings.commands.isEmpty {
      facts["project commands"] = project.file.isTrusted ? "allowed" : "not allowed yet"
    }
    for warning in project.warnings {
      advice.append("Correct the settings of the project: " + warning)
    }
    return project
  }

  /// Where the report lists all errors.
  private static let below = "see “what to do”"

  private func files(_ advice: inout [String]) -> Section {
    let folders = Folders()
    let settings = SettingsFile(folders: folders)
    var facts = JSONObject()
    facts["settings"] = settings.path.map { .text($0) } ?? .null
    facts["settings status"] = .text(
      settings.warnings.summary(Self.below)
        ?? (settings.path.map { Files.kind(of: $0) != nil } == true ? "fine" : "no file"))
    for warning in settings.warnings { advice.append("Correct the settings: " + warning) }
    let project = describeProject(user: settings.settings, in: &facts, &advice)
    let themes = Themes(folders: folders)
    var faults = themes.warnings
    for name in [settings.settings.theme, project?.settings.theme].compactMap({ $0 }) {
      do throws(Failure) { _ = try themes.pair(name) } catch { faults.append(error.message) }
    }
    facts["themes status"] = .text(faults.isEmpty ? "fine" : faults.joined(separator: " "))
    for fault in faults { advice.append("Correct the theme: " + fault) }
    facts["own themes"] = folders.map { .text($0.config + "/themes") } ?? .null
    facts["state"] = folders.map { .text($0.state) } ?? .null
    facts["cache"] = folders.map { .text($0.cache) } ?? .null
    facts["bundled themes"] = ResourceFinder.folder("themes").map { .text($0) } ?? "not found"
    if ResourceFinder.folder("demo-data") == nil {
      advice.append(
        "The demos were not found. Install Sonde with its share folder, or set SONDE_SHARE to the path "
          + "of that folder.")
    }
    facts["demo data"] = ResourceFinder.folder("demo-data").map { .text($0) } ?? "not found"
    return ("files", facts)
  }
}
