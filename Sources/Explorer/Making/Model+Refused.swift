import TerminalUI
import Triples

/// What somebody typed for a change, to have it again when the change is refused.
enum TypedChange: Sendable, Equatable {
  case draft(EntityDraft)
  case line(PromptPane)

  /// What brings it back.
  var intent: Intent {
    switch self {
    case .draft: .add
    case .line: .edit
    }
  }
}

/// A change that was typed and that the store has refused.
struct RefusedChange: Sendable, Equatable {
  let typed: TypedChange
  let reason: String
  /// How it is said.
  let notice: Notice

  /// Whether what was typed is a value of this.
  func isOf(_ target: EditTarget) -> Bool {
    guard case .line(let line) = typed, case .value(let own, _) = line.purpose else { return false }
    return own == target
  }
}

// A refusal comes when hands may be typing something else by now: it opens nothing by itself.
extension Model {
  /// A change was refused: the reason is said, with the key that brings back what was typed.
  mutating func receiveRefusal(_ reason: String, of deed: Deed?) {
    let isUnwanted = deed.map { underWay.settle($0) } ?? false
    notice = .rejected(reason).keptUntil(after: underWay.last)
    // What could not be taken back is still the next to be taken back.
    if let undoing = deed?.undoing {
      undoable.append(undoing)
      refusedUndo = RefusedUndo(way: undoing, reason: reason)
      notice = .undoRejected(reason).keptUntil(after: underWay.last)
    }
    if deed?.wasKeptBack == true {
      unsent?.takeBackSent()
      notice = .stagedRejected(reason).keptUntil(after: underWay.last)
      return
    }
    guard let typed = deed?.typed, !isUnwanted else { return }
    let said = Notice.rejected(reason, typed: typed.intent).keptUntil(after: underWay.last)
    refused = RefusedChange(typed: typed, reason: reason, notice: said)
    notice = said
  }

  /// Shows what was typed again, with the reason.
  mutating func bringBackRefused() {
    guard let refused else { return }
    self.refused = nil
    notice = nil
    switch refused.typed {
    case .draft(let draft): open(NewEntityPane(draft, refusal: Rejection(text: refused.reason)))
    case .line(var line):
      line.complaint = refused.reason
      if case .value(let target, _) = line.purpose, let catalog = catalog(knowing: target.entity),
        let handle = catalog.store.handle(of: target.entity)
      {
        // The cursor may be on another row by now.
        line.subject = catalog.label(of: handle, in: target.namespace)
      }
      prompt = line
    }
  }

  /// Whether a key brings back what was typed, since that was just said.
  func bringsBack(_ key: Key, saidLast said: Notice?) -> Bool {
    guard let refused, said == refused.notice, prompt == nil else { return false }
    let intent = preferences.keymap.intent(for: key, in: listening)
    return intent == refused.typed.intent && listening.speaking([key]) == [key]
  }

  /// Says a refusal again that no key has answered: it may have come when that was pressed already.
  ///
  /// - Parameter offered: What it offered to bring back.
  mutating func keepSaying(
    _ said: Notice?, offering offered: RefusedChange?, after key: Key, typing isTyping: Bool
  ) {
    guard notice == nil, let said, said.refusedBy != nil,
      offered?.notice != said || refused?.notice == said
    else { return }
    let isAnswer = !isTyping && preferences.keymap.intent(for: key, in: listening) == .cancel
    if !isAnswer { notice = said }
  }

  /// What was said last is read; a refusal may not be yet.
  mutating func endSaying() {
    if notice?.refusedBy == nil { notice = nil }
  }

  /// Says what became of a change, unless one that was sent together with it was refused.
  mutating func report(_ news: Notice, of deed: Deed) {
    if let refusedBy = notice?.refusedBy, deed.number <= refusedBy { return }
    notice = news
  }
}
