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
      let notice = Notice.tooLongToPaste(
        NumberText.bytes(added.utf8.count), limit: NumberText.bytes(Self.maxTextBytes))
      // An empty line cannot be cleared.
      return .noEffect(text.isEmpty ? notice.hinting() : notice)
    }
    insert(added)
    return .done
  }
}
