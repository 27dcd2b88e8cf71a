import InstaQL
import Triples

// What may take longer than a key is made aside: that is said, and can be given up.
extension Model {
  mutating func prepare(_ what: Preparation) -> [Effect] {
    notice = .working(what.title, rows: nil)
    return requests.begin(.prepare(what), for: .prepare(title: what.title, place: keyPlace))
  }

  /// Where the keys go now.
  var keyPlace: KeyPlace { KeyPlace(tab: tabs.before.count, focus: listening) }

  /// What was wanted just now and may be there at once.
  package var awaited: Awaited? {
    requests.id(in: .preparation).map { .response($0) } ?? awaitedSearch.map { .answer($0) }
  }

  /// Gives up what is being made; nil when nothing is.
  mutating func giveUpPreparing() -> [Effect]? {
    guard requests.isPending(.preparation) else { return nil }
    notice = .workCanceled
    return requests.cancel(.preparation)
  }

  /// It is made, or cannot be.
  ///
  /// - Parameter place: Where the keys went when it was asked for.
  mutating func use(_ prepared: Prepared, from place: KeyPlace) -> [Effect] {
    notice = nil
    switch prepared {
    case .text(let text, .copying): return [.copy(text)]
    case .text(let text, .outside): return [.page(text)]
    case .failed(let reason): notice = reason
    case .deletion(let deletion):
      // A question that opens beneath the hands would be answered by what is typed elsewhere.
      guard prompt == nil, keyPlace == place else {
        notice = .deletionAbandoned
        return []
      }
      ask(deletion)
    }
    return []
  }
}
