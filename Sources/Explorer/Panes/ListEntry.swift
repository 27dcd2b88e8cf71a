import TerminalUI
import Widgets

/// An entry of a list that is filtered by typing: its name, a description, and its state.
struct ListEntry {
  let name: String
  /// The positions of the typed letters in the name.
  var letters: [Int] = []
  let about: String
  var aboutRole = Role.dim
  let state: String

  func draw(in line: ListLine, nameWidth: Int, into frame: inout Frame) {
    frame.write(name, .namespace, in: line, width: nameWidth)
    frame.mark(
      letters, of: name, row: line.area.row, column: line.area.column + 1, width: nameWidth)
    let start = nameWidth + 3
    let stateWidth = TextWidth.columns(of: state)
    let end = line.area.columns - 1 - stateWidth
    frame.write(about, aboutRole, in: line, at: start, width: end - start - (state.isEmpty ? 0 : 1))
    if end > start { frame.writeAtEnd(state, .info, in: line) }
  }
}
