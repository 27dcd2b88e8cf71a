import Explorer
import TerminalUI

/// A rule that every screen keeps, whatever its pane, its data and its size.
struct ScreenInvariant: Sendable {
  /// The rule as a sentence, for the message of a failure.
  let name: String
  /// Returns how a screen breaks the rule; nil if it keeps it.
  let check: @Sendable (SceneView) -> String?

  init(_ name: String, _ check: @escaping @Sendable (SceneView) -> String?) {
    self.name = name
    self.check = check
  }

  static let all = boxes + focus + bars + words + glyphs + states
}

/// A scene in a state, drawn, with what the rules compare it with.
struct SceneView: Sendable {
  let scene: Scene
  let state: SceneState
  /// Why the scene cannot be open in the state; nil if it is open.
  let reason: String?
  var frame: Frame
  /// The text of each row, as wide as the screen.
  var lines: [String]
  var notice: Notice?
  /// Whether the screen changes as time passes.
  var isTimed: Bool
  /// The same screen after it was resized to 200×60.
  var enlarged: Frame
  /// The same screen after the open pane was closed.
  var closed: Frame

  init(_ scene: Scene, _ state: SceneState, of screen: Screen) {
    (self.scene, self.state) = (scene, state)
    reason = SceneMatrix.whyNot(scene, state)
    frame = screen.workspace.view()
    lines = (0..<frame.size.rows).map { [frame] row in
      frame.runs(row: row).map(\.text).joined()
    }
    notice = screen.notice
    isTimed = screen.workspace.isTimed
    var large = screen
    large.handle(.terminal(.resize(Size(columns: 200, rows: 60))))
    enlarged = large.workspace.view()
    var closing = screen
    closing.press("escape")
    closed = closing.workspace.view()
  }

  init(_ scene: Scene, _ state: SceneState) throws {
    self.init(scene, state, of: try state.screen(of: scene))
  }

  /// Whether the screen is one for a screen reader, without boxes.
  var isHeard: Bool { state == .heard || state == .heardOffline }

  /// Whether the scene is open and has the focus.
  var isOpen: Bool { reason == nil && state != .unfocused }

  /// Whether the scene is a typed line that has the focus. Such a line keeps the focus until it is
  /// applied or canceled.
  var isTypedLine: Bool { scene.isTyped && (isOpen || state == .unfocused) }

  /// The messages of all rules that the screen breaks, each with the screen.
  var faults: [String] {
    ScreenInvariant.all.compactMap { rule in
      rule.check(self).map { fault in
        "\(scene.rawValue) (\(scene.keys)), \(state.words)\n\(rule.name): \(fault)\n\(frame.text)"
      }
    }
  }
}
