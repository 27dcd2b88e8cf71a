import TerminalUI
import Widgets

extension TextField {
  /// Edits the line. Returns nil if the key does not edit.
  mutating func handle(_ key: Key) -> InputResult? {
    press(key).map { edit in
      switch edit {
      case .done: .done
      case .noCommand: .noEffect(.noViCommand)
      case .full: .noEffect(.lineFull)
      }
    }
  }

  /// Inserts the pasted text if all of it fits; otherwise inserts nothing.
  mutating func paste(_ added: String) -> InputResult {
    guard hasRoom(for: added) else {
      return .noEffect(
        .tooLongToPaste(
          NumberText.bytes(added.utf8.count), limit: NumberText.bytes(Self.maxTextBytes)))
    }
    insert(added)
    return .done
  }
}
