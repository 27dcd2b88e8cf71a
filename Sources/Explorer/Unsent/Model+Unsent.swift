import LiveQueries
import Triples

// Changes that are kept back, to be looked at and sent as one.
extension Model {
  /// Keeps changes back from now on; when some are, asks what shall become of them.
  mutating func holdChanges() -> [Effect] {
    guard let unsent else {
      self.unsent = Unsent()
      notice = .stagingOn
      return []
    }
    guard !unsent.isEmpty else {
      self.unsent = nil
      notice = .stagingOff
      return []
    }
    guard unsent.waiting > 0 else { return sayOnTheirWay() }
    let send = MenuPane.Entry(
      key: "s", label: "send", detail: "all of it or nothing, as one", wishes: [.unsent(.send)])
    open(
      MenuPane(
        unsent.state,
        // One sending is waited for before the next.
        (unsent.isSending ? [] : [send]) + [
          .init(
            key: "c", label: "see what changes", detail: "old → new",
            wishes: [.open(Overlay(ChangesPane(showing: .unsent)))]),
          .init(
            key: "t", label: "discard",
            detail: unsent.isSending ? "what is being sent is not affected" : "nothing is sent",
            wishes: [.unsent(.drop)]),
          .init(key: "k", label: "keep staging", wishes: []),
        ]))
    return []
  }

  private mutating func sayOnTheirWay() -> [Effect] {
    guard let unsent else { return [] }
    notice = .sending(unsent.state)
    return []
  }

  /// Takes a change that is kept back instead of being sent.
  ///
  /// - Parameter summary: What it does, in words.
  mutating func keepBack(_ transaction: Transaction, _ summary: String) {
    unsent?.add(transaction, summary)
    showUnsent()
    notice = .staged(unsent?.changes.count ?? 0)
  }

  /// Takes the newest of them back; nil where there is none.
  mutating func takeBackUnsent() -> [Effect]? {
    guard let unsent, !unsent.isEmpty else { return nil }
    guard let last = self.unsent?.removeLast() else { return sayOnTheirWay() }
    showUnsent()
    notice = .unstaged(last.sentence)
    return []
  }

  mutating func fulfil(_ wish: UnsentWish) -> [Effect] {
    guard let unsent, !unsent.isEmpty else { return wish == .quitWithout ? [.quit(status: 0)] : [] }
    switch wish {
    case .send:
      guard !unsent.isSending, let transaction = self.unsent?.send() else {
        return sayOnTheirWay()
      }
      let deed = Deed(
        summary: ChangeSummary.sent(unsent.changes.count),
        hints: [.key(.undoTransaction, "undo all of it")], wasKeptBack: true)
      return [underWay.send(transaction, deed)]
    case .drop:
      guard unsent.waiting > 0 else { return sayOnTheirWay() }
      self.unsent?.removeWaiting()
      if !unsent.isSending { self.unsent = nil }
      showUnsent()
      notice = .discarded(unsent.waiting, isSending: unsent.isSending)
      return []
    case .quitWithout: return [.quit(status: 0)]
    }
  }

  /// What was sent of it is with the store; what was changed since still waits.
  mutating func forgetSent() {
    unsent?.removeSent()
    if unsent?.isEmpty == true { unsent = nil }
    showUnsent()
  }

  /// Asks before changes are lost that were kept back; nil where there are none.
  mutating func askBeforeQuitting() -> [Effect]? {
    guard let unsent, !unsent.isEmpty else { return nil }
    let send = MenuPane.Entry(key: "s", label: "send", wishes: [.unsent(.send)])
    let fate = keptUnsent == nil ? "nothing is sent" : "they are here the next time"
    open(
      MenuPane(
        unsent.state,
        [.init(key: "k", label: "stay", wishes: [])] + (unsent.isSending ? [] : [send]) + [
          .init(
            key: "q", label: "quit",
            detail: unsent.isSending ? "their result will not be shown" : fate,
            wishes: [.unsent(.quitWithout)])
        ]))
    return []
  }

  /// Shows the rows and the open panes with what is kept back.
  mutating func showUnsent() {
    noteUnsent()
    tab.results.show(onTop, page: layout.resultRows)
    refreshOverlays()
  }

  /// What is known changes with each snapshot, and what is kept back stands on top of it.
  mutating func noteUnsent() {
    guard let onTop, !onTop.isEmpty, let catalog else {
      withUnsent = nil
      return
    }
    let base = catalog.snapshot.served == nil ? catalog.snapshot : tab.results.shown?.snapshot
    var shown = Catalog(snapshot: onTop.shown(on: catalog.snapshot), counts: catalog.counts)
    shown.knowsLinks = catalog.knowsLinks
    let entries = base.flatMap { unsent?.entries(on: $0) }
    withUnsent = UnsentView(catalog: shown, entries: entries ?? [])
  }
}
