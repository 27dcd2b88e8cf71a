import Explorer
import Foundation
import Ncurses
import TerminalUI
import Testing

/// Compares each pane in each state with its recording.
///
/// `SONDE_RECORD_SCREENS=1` rewrites the records.
@Suite("Each pane in each state")
struct EachSceneInEachStateTests {
  @Test("matches the recording", arguments: Scene.allCases)
  func record(_ scene: Scene) throws {
    let now = try Self.look(at: scene)
    if ProcessInfo.processInfo.environment["SONDE_RECORD_SCREENS"] == "1" {
      return try now.write(named: scene.rawValue, title: "\(scene.rawValue): \(scene.way)")
    }
    let then = try SceneRecord(named: scene.rawValue)
    #expect(now.sections.map(\.heading) == then.sections.map(\.heading))
    for (seen, recorded) in zip(now.sections, then.sections) where seen != recorded {
      Issue.record(
        "\(scene.rawValue), \(seen.heading):\n\(seen.text)\n\nwas recorded as\n\n\(recorded.text)")
    }
  }

  @Test("everything drawn has an ASCII form", arguments: Scene.allCases)
  func ascii(_ scene: Scene) throws {
    var missing: Set<Unicode.Scalar> = []
    // Names of plants are data, not drawing characters.
    let data = Set("梅é".unicodeScalars)
    for state in SceneState.allCases where state != .wideText && state != .wideTextSmall {
      let frame = try state.screen(of: scene).workspace.view()
      for row in 0..<frame.size.rows {
        for column in 0..<frame.size.columns {
          let scalar = frame.cell(row: row, column: column).scalar
          if !scalar.isASCII, !data.contains(scalar), ASCIIGlyphs.drawing(scalar) == nil {
            missing.insert(scalar)
          }
        }
      }
    }
    #expect(missing.isEmpty)
  }

  @Test("there are no unused recordings")
  func used() throws {
    #expect(try SceneRecord.names() == Set(Scene.allCases.map(\.rawValue)))
  }

  /// All that is to be recorded of a scene; complains of a scene that is not where the table says.
  private static func look(at scene: Scene) throws -> SceneRecord {
    let usual = ScenePortrait(
      try SceneState.usual.screen(of: scene).workspace.view(), .text, isTimed: scene.isTimed)
    var sections: [(heading: String, text: String)] = []
    for state in SceneState.allCases {
      let heading = "\(state.rawValue): \(state.words)"
      let screen = try state.screen(of: scene)
      let reason = SceneMatrix.whyNot(scene, state)
      let isHeard = scene.holds(screen)
      let isThere = state == .unfocused ? reason == nil && !isHeard : isHeard
      #expect(isThere == (reason == nil), "\(scene) \(state), \(reason ?? ""):\n\(screen.text)")
      sections.append((heading, text(screen, state, beside: usual, of: scene, reason)))
    }
    return SceneRecord(sections)
  }

  private static func text(
    _ screen: Screen, _ state: SceneState, beside usual: ScenePortrait, of scene: Scene,
    _ reason: String?
  ) -> String {
    let frame = screen.workspace.view()
    let told: String
    if let reason {
      // Without the pane, the last line shows the reason.
      told = "(\(reason))\n" + frame.text(row: frame.size.rows - 1)
    } else {
      let isPartial = state == .unfocused
      let portrait = ScenePortrait(
        frame, state.telling, area: isPartial ? (usual.rows, usual.columns) : nil,
        isTimed: scene.isTimed)
      switch state.telling {
      case .attributes: told = portrait.toldLines
      case .ascii: told = portrait.whole
      case .text, .flashes, .grounds:
        told =
          state == .usual || state.size != SceneState.usual.size
          ? portrait.whole : portrait.differing(from: usual)
      }
    }
    return told
  }
}
