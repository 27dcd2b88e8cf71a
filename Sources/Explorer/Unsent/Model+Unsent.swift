import LiveQueries
import Triples

// Changes that are kept back, to be looked at and sent as one.
extension Model {
  /// Keeps changes back from now on; when some are, asks what shall become of them.
  mutating func holdChanges() -> [Effect] {
    guard let unsent else {
      self.unsent = Unsent()
      notice = Notice(
        text: "What you change is kept back from now on: \(key(.hold)) sends it together, "
          + "\(key(.changes)) shows it")
      return []
    }
    guard !unsent.isEmpty else {
      self.unsent = nil
      notice = Notice(text: "What you change is sent at once again: \(key(.hold)) keeps it back")
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
            key: "t", label: "throw away",
            detail: unsent.isSending ? "what is on its way is sent" : "nothing is sent",
            wishes: [.unsent(.drop)]),
          .init(key: "k", label: "keep back", detail: "and go on", wishes: []),
        ]))
    return []
  }

  private mutating func sayOnTheirWay() -> [Effect] {
    guard let unsent else { return [] }
    notice = Notice(
      text: "\(unsent.state): \(key(.undoTransaction)) takes it back when the store has it")
    return []
  }

  /// Takes a change that is kept back instead of being sent.
  ///
  /// - Parameter done: What it does, in words.
  mutating func keepBack(_ transaction: Transaction, _ done: String) {
    unsent?.add(transaction, done)
    showUnsent()
    notice = Notice(
      text: "\(unsent?.words ?? "") not sent yet: \(key(.hold)) sends, "
        + "\(key(.undoTransaction)) takes the last one back")
  }

  /// Takes the newest of them back; nil where there is none.
  mutating func takeBackUnsent() -> [Effect]? {
    guard let unsent, !unsent.isEmpty else { return nil }
    guard let last = self.unsent?.removeLast() else { return sayOnTheirWay() }
    showUnsent()
    notice = Notice(
      text: "Taken back before it was sent: “\(last.sentence)”; \(key(.hold)) for what is left")
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
        done: "\(unsent.words) sent", advice: "\(key(.undoTransaction)) takes all of it back",
        wasKeptBack: true)
      return [underWay.send(transaction, deed)]
    case .drop:
      guard unsent.waiting > 0 else { return sayOnTheirWay() }
      self.unsent?.removeWaiting()
      if !unsent.isSending { self.unsent = nil }
      showUnsent()
      notice = Notice(
        text: "\(Unsent.words(unsent.waiting)) thrown away: "
          + (unsent.isSending
            ? "what is on its way is sent"
            : "what you change is sent at once again, \(key(.hold)) keeps it back"))
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
            detail: unsent.isSending ? "nobody is told what comes of them" : fate,
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
