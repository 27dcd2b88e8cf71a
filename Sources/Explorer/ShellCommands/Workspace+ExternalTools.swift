import InstaQL
import TerminalUI
import Triples
import Widgets

// Shows and edits text in the user's pager and editor.
extension Workspace {
  /// Opens a menu of texts to show in the pager or to edit in the editor.
  mutating func openOutsideMenu() -> [Effect] {
    // The text of an open pane is shown without a menu.
    if let index = tab.overlays.indices.last {
      guard let pane = tab.overlays[index].pane as? any FindablePane else {
        return notify(.notForPager(focusedPane.title))
      }
      return [.page(pane.text(in: context(of: index)))]
    }
    var menu = TextMenu(.outside)
    if let output = requests.lastOutput {
      menu.add("o", "output of “\(output.name)”", output.text)
    }
    addChosen(to: &menu)
    if let table = tab.results.table, table.answer.rows.count <= Rendering.maxTableRows {
      menu.add("t", "results as table", Rendering(.table, of: table.answer, in: table.catalog))
      menu.add(
        "j", "results as JSON", Rendering(.result(.json), of: table.answer, in: table.catalog))
    }
    menu.add("q", "query", in: "editor", [.ask(.query), .editPrompt])
    open(menu.pane)
    return []
  }

  /// Opens the text of the prompt in the editor.
  ///
  /// - Parameter isAlone: Whether the prompt was opened only for the editor and closes with it.
  mutating func editPrompt(isAlone: Bool) -> [Effect] {
    guard let prompt, prompt.purpose.traits.isForEditors else { return [] }
    self.prompt?.isForEditor = isAlone
    switch prompt.purpose {
    case .value(_, let attribute):
      let isText = attribute.checkedType != nil
      return requests.begin(
        .edit(prompt.field.text, ending: isText ? ".txt" : ".json"), for: .editor)
    case .query, .filter, .having, .order:
      return requests.begin(.edit(prompt.line, ending: ".txt"), for: .editor)
    case .limit, .valueOfSelected, .find, .saveQuery: return []
    }
  }

  /// Applies the text from the editor as if the user had typed it.
  mutating func use(_ edited: EditedText) -> [Effect] {
    guard let prompt else { return [] }
    // In an open prompt, the key of the command would insert its letter instead.
    let again: KeyHint =
      prompt.isForEditor
      ? .key(.outside, "open again") : .press(.control("o"), "open again")
    switch edited {
    case .changed(let text):
      guard text.utf8.count <= Self.maxEditedBytes else { return notify(.editedTextTooLong) }
      if case .value(let target, let attribute) = prompt.purpose {
        let effects = submit(attribute, of: target, text)
        if self.prompt != nil { self.prompt?.field = TextField(line: text) }
        return effects
      }
      self.prompt?.field = TextField(line: LineComments.closed(in: text))
      checkPrompt()
      return submitPrompt()
    case .unchanged: notice = .unedited(again: again)
    case .failed(let reason): notice = .editorFailed(reason, again: again)
    }
    if prompt.isForEditor { self.prompt = nil }
    return []
  }

  private static let maxEditedBytes = 4 << 20
}
