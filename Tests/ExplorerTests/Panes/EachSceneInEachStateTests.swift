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
  @Test(
    "matches the recording, and everything drawn has an ASCII form", arguments: Scene.allCases)
  func record(_ scene: Scene) throws {
    let (now, foreign) = try Self.look(at: scene)
    #expect(foreign.isEmpty, "These have no ASCII form: \(foreign)")
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

  @Test("there are no unused recordings")
  func used() throws {
    #expect(try SceneRecord.names() == Set(Scene.allCases.map(\.rawValue)))
  }

  /// All that is to be recorded of a scene, and the drawing characters without an ASCII form; complains
  /// of a scene that is not where the table says.
  private static func look(at scene: Scene) throws -> (SceneRecord, Set<Unicode.Scalar>) {
    let usual = ScenePortrait(
      try SceneState.usual.screen(of: scene).workspace.view(), .text, isTimed: scene.isTimed)
    var sections: [(heading: String, text: String)] = []
    var foreign: Set<Unicode.Scalar> = []
    for state in SceneState.allCases {
      let heading = "\(state.rawValue): \(state.words)"
      let screen = try state.screen(of: scene)
      let reason = SceneMatrix.whyNot(scene, state)
      let isHeard = scene.holds(screen)
      let isThere = state == .unfocused ? reason == nil && !isHeard : isHeard
      #expect(isThere == (reason == nil), "\(scene) \(state), \(reason ?? ""):\n\(screen.text)")
      let frame = screen.workspace.view()
      sections.append((heading, text(frame, state, beside: usual, of: scene, reason)))
      if state != .wideText, state != .wideTextSmall { foreign.formUnion(withoutASCII(frame)) }
    }
    return (SceneRecord(sections), foreign)
  }

  private static func withoutASCII(_ frame: Frame) -> Set<Unicode.Scalar> {
    var scalars: Set<Unicode.Scalar> = []
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let scalar = frame.cell(row: row, column: column).scalar
        if !scalar.isASCII { scalars.insert(scalar) }
      }
    }
    // Names of plants are data, not drawing characters.
    return scalars.subtracting("梅é".unicodeScalars).filter { ASCIIGlyphs.drawing($0) == nil }
  }

  private static func text(
    _ frame: Frame, _ state: SceneState, beside usual: ScenePortrait, of scene: Scene,
    _ reason: String?
  ) -> String {
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
