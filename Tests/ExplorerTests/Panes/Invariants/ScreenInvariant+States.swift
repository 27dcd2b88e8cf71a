import TerminalUI

extension ScreenInvariant {
  /// Rules about changes, and about rows with changes that the store does not have yet.
  static let states = [
    ScreenInvariant("A value that just changed is highlighted") { view in
      guard view.state == .changed, view.scene.showsHighlights else { return nil }
      let places = view.places(of: "251")
      guard !places.isEmpty else { return "the new value is not visible" }
      return places.contains { view.isHighlighted($0) } ? nil : "it is not"
    },
    ScreenInvariant("With reduced motion nothing fades") { view in
      guard view.state == .changedWithoutMotion else { return nil }
      return view.isTimed ? "the screen waits for the clock" : nil
    },
    ScreenInvariant("A row with changes that the store does not have is marked") { view in
      guard let mark = view.state.pendingMark, view.scene == .results, !view.isHeard else {
        return nil
      }
      return view.frame.text.contains("│\(mark)Fig ") ? nil : "“\(mark)” is not before “Fig”"
    },
    ScreenInvariant("Without the focus, the selected row keeps a mark of its own") { view in
      guard view.state == .unfocused, view.reason == nil, view.scene == .results else {
        return nil
      }
      let marked = view.frame.cells(in: view.frame.bounds) {
        $0.paint.ground == .selectionUnfocused
      }
      return marked.isEmpty ? "no row has one" : nil
    },
  ]
}

extension SceneView {
  private static let highlights: Set<Role> = [.changed, .inserted, .deleted]

  fileprivate func isHighlighted(_ place: Position) -> Bool {
    let paint = frame.cell(row: place.row, column: place.column).paint
    return Self.highlights.contains(paint.ground) || Self.highlights.contains(paint.ink)
  }

  /// The places at which an ASCII text begins.
  fileprivate func places(of text: String) -> [Position] {
    let scalars = Array(text.unicodeScalars)
    return frame.cells(in: frame.bounds) { $0.scalar == scalars[0] }.filter { place in
      place.column + scalars.count <= frame.size.columns
        && scalars.indices.allSatisfy {
          frame.cell(row: place.row, column: place.column + $0).scalar == scalars[$0]
        }
    }
  }
}
