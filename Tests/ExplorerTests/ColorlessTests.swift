import Explorer
import Foundation
import Ncurses
import TerminalUI
import Testing

/// Everything that colors show is also visible without them.
@Suite("Without colors")
struct ColorlessTests {
  static let themes: [String] = {
    let folder = ReadmeTests.checkout.appending(path: "themes").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".toml") }.sorted()
  }()

  private static func theme(_ file: String) throws -> Theme {
    func text(_ file: String) throws -> String {
      let url = ReadmeTests.checkout.appending(path: "themes/\(file)")
      return try String(contentsOf: url, encoding: .utf8)
    }
    return try Theme(toml: text(file), file: file) { name, _ in
      (try? text(name + ".toml")).map { Theme.File(path: name + ".toml", toml: $0) }
    }
  }

  @Test(
    "the title of the focused pane differs from the others, in each theme",
    arguments: themes)
  func focus(file: String) throws {
    let theme = try Self.theme(file)
    let focused = theme.style(of: Paint(.titleFocused), depth: .none).attributes
    let other = theme.style(of: Paint(.title), depth: .none).attributes
    #expect(focused.contains(.reverse) && !other.contains(.reverse))
  }

  @Test("the selected row is in reverse in each pane, in each theme", arguments: themes)
  func cursor(file: String) throws {
    let theme = try Self.theme(file)
    for scene in Scene.allCases where scene.hasSelectedRow {
      let frame = try SceneState.usual.screen(of: scene).workspace.view()
      let isSeen = (1..<frame.size.rows - 1).contains { row in
        (0..<frame.size.columns).contains { column in
          let paint = frame.cell(row: row, column: column).paint
          return theme.style(of: paint, depth: .none).attributes.contains(.reverse)
        }
      }
      #expect(isSeen, "\(scene) in \(file)")
    }
  }

  @Test(
    "changed, inserted, selected and found cells differ from the others, in each theme",
    arguments: themes)
  func roles(file: String) throws {
    let theme = try Self.theme(file)
    let plain = theme.style(of: .text, depth: .none).attributes
    for role in [
      Role.selection, .selectionUnfocused, .cursorCell, .match, .matchCurrent, .changed, .inserted,
      .deleted, .completionSelected, .buttonFocused, .errorBanner,
    ] {
      let style = theme.style(of: Paint(.text, on: role), depth: .none)
      let own = theme.style(of: Paint(role, on: role), depth: .none)
      #expect(style.attributes != plain || own.attributes != plain, "\(role.name) in \(file)")
      #expect(style.foreground == .standard && style.background == .standard)
    }
  }

  @Test(
    "the header states in words that data is out of date",
    arguments: [
      (SceneState.stale, "✕ stale"), (.offline, "✕ offline"), (.storeFailed, "✕ stale"),
      (.archived, "◌ cached"), (.connecting, "… connecting"), (.pending, "↑1 pending"),
      (.paused, "‖ paused"), (.readOnly, "read-only"), (.keptBack, "±1 staged"),
    ])
  func freshness(state: SceneState, words: String) throws {
    for scene in [Scene.results, .namespaces, .help, .diagram, .palette] {
      #expect(try state.screen(of: scene).row(0).contains(words), "\(scene)")
    }
  }
}
