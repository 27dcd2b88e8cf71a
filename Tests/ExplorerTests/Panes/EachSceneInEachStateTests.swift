import Explorer
import TerminalUI
import Testing

/// Checks all rules about screens for each scene in each state.
@Suite("Each scene in each state")
struct EachSceneInEachStateTests {
  @Test(
    "keeps all rules, and is open unless the table states why it cannot be",
    arguments: Scene.allCases)
  func rules(_ scene: Scene) throws {
    for state in SceneState.allCases {
      let screen = try state.screen(of: scene)
      for fault in SceneView(scene, state, of: screen).faults {
        Issue.record(Comment(rawValue: fault))
      }
      let reason = SceneMatrix.whyNot(scene, state)
      let isFocused = scene.isFocused(on: screen)
      let isOpen = state == .unfocused ? reason == nil && !isFocused : isFocused
      #expect(isOpen == (reason == nil), "\(state.words), \(reason ?? "")\n\(screen.text)")
    }
  }
}
