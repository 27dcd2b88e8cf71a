import InstaQL
import Triples

// What may take longer than a key is made aside: that is said, and can be given up.
extension Model {
  mutating func prepare(_ what: Preparation) -> [Effect] {
    preparing.begin(what, at: listeningPlace)
    notice = preparing.notice(rows: nil)
    return [.prepare(what, preparing.number)]
  }

  /// Where the keys go now.
  var listeningPlace: Preparing.Place {
    Preparing.Place(tab: tabs.before.count, focus: listening)
  }

  /// What was wanted just now and may be there at once.
  package var awaited: Awaited? {
    preparing.isOn ? .preparation(preparing.number) : awaitedSearch.map { .answer($0) }
  }

  /// Gives up what is being made; nil when nothing is.
  mutating func giveUpPreparing() -> [Effect]? {
    guard preparing.isOn else { return nil }
    preparing.end()
    notice = .workCanceled
    return [.stopPreparing]
  }

  mutating func receive(rows: Int, ofPreparation number: Int) {
    guard preparing.isOn, number == preparing.number else { return }
    notice = preparing.notice(rows: rows)
  }

  /// It is made, or cannot be.
  mutating func receive(_ prepared: Prepared, ofPreparation number: Int) -> [Effect] {
    guard let before = preparing.place, number == preparing.number else { return [] }
    preparing.end()
    notice = nil
    switch prepared {
    case .text(let text, .copying): return [.copy(text)]
    case .text(let text, .outside): return [.page(text)]
    case .failed(let reason): notice = reason
    case .deletion(let deletion):
      // A question that opens beneath the hands would be answered by what is typed elsewhere.
      guard prompt == nil, listeningPlace == before else {
        notice = .deletionAbandoned
        return []
      }
      ask(deletion)
    }
    return []
  }
}
