import TerminalUI
import Triples

// Reopens rejected edits. A rejection opens nothing by itself, since the user may be typing
// something else.
extension Workspace {
  /// Opens the rejected input again, together with the reason for the rejection.
  mutating func reopenRejectedEdit() {
    guard let rejectedEdit = changes.consumeRejectedEdit() else { return }
    notice = nil
    switch rejectedEdit.typed {
    case .draft(let draft):
      open(NewEntityPane(draft, refusal: Rejection(text: rejectedEdit.reason)))
    case .line(var line):
      line.complaint = rejectedEdit.reason
      if case .value(let target, _) = line.purpose, let catalog = catalog(knowing: target.entity),
        let handle = catalog.store.handle(of: target.entity)
      {
        // The cursor may be on another row by now, so the prompt names the entity that it edits.
        line.subject = catalog.label(of: handle, in: target.namespace)
      }
      prompt = line
    }
  }

  /// Returns whether a key reopens the rejected edit. This requires that the notice about it was
  /// shown, and that the key is bound to its command.
  func reopens(_ key: Key, saidLast said: Notice?) -> Bool {
    guard let rejectedEdit = changes.rejectedEdit, said == rejectedEdit.notice, prompt == nil else {
      return false
    }
    let command = settings.keymap.command(for: key, in: focusedPane)
    return command == rejectedEdit.typed.command && focusedPane.speaking([key]) == [key]
  }

  /// Restores the notice about a rejection that a key cleared, unless the key was meant to dismiss
  /// it.
  ///
  /// The user may have pressed the key before seeing the notice.
  ///
  /// - Parameters:
  ///   - said: The notice before the key was handled.
  ///   - offered: The edit that could be reopened before the key was handled.
  mutating func retainError(
    _ said: Notice?, offering offered: RejectedEdit?, after key: Key, typing isTyping: Bool
  ) {
    guard notice == nil, let said, said.rejectedAfterChange != nil,
      offered?.notice != said || changes.rejectedEdit?.notice == said
    else { return }
    let isAnswer = !isTyping && settings.keymap.command(for: key, in: focusedPane) == .cancel
    if !isAnswer { notice = said }
  }

  /// Clears the notice, unless it reports a rejection that the user may not have read.
  mutating func clearRetainedError() {
    if notice?.rejectedAfterChange == nil { notice = nil }
  }
}
