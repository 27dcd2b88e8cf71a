package import TerminalUI

/// The choice of a demo in a terminal: a workspace without a store, which shows only `DemosPane`.
package struct DemoChooser {
  package enum Outcome: Equatable {
    case chosen(String)
    /// The user left without choosing a demo.
    case left
    /// A signal ended the program.
    case ended(Int32)
  }

  package enum Step: Equatable {
    case goOn
    case suspend, redraw
    case end(Outcome)
  }

  private var workspace: Workspace

  package init(
    _ names: [String], size: Size, settings: ExplorerSettings = ExplorerSettings()
  ) {
    workspace = Workspace(StoreListing(typed: "demos"), size: size, settings: settings)
    workspace.store.isMissing = true
    workspace.open(DemosPane(names))
  }

  package func view() -> Frame { workspace.view() }

  package mutating func handle(_ event: TerminalEvent) -> Step {
    for effect in workspace.update(.terminal(event)) {
      switch effect {
      case .workspace(.open(let demo, _)): return .end(.chosen(demo.name))
      case .suspend: return .suspend
      case .redraw: return .redraw
      case .quit(let status): return .end(.ended(status - Workspace.signalStatus))
      default: break
      }
    }
    return workspace.tab.overlays.isEmpty ? .end(.left) : .goOn
  }
}
