import InstaQL

// Passes responses to the code that made the requests.
extension Workspace {
  mutating func handleResponse(_ response: Response, to id: RequestID) -> [Effect] {
    guard let (purpose, pending) = requests.resolve(response, to: id) else { return [] }
    let place = pending.place
    switch (pending.request, response) {
    // Without these responses, the palette still has commands, namespaces and columns.
    case (.savedQueries, .failed) where place == nil && focusedPane != .saved: break
    case (.themes, .failed) where place == nil: break
    case (.search, .failed(let failure?)): reportSearch(failure)
    case (_, .failed(let failure?)): notice = failure
    case (.columns(let namespace), .columns(let settings)): show(settings, of: namespace)
    case (_, .savedQueries(let saved, let history)):
      deliver(response)
      nameQueries(saved)
      if place != nil { openSavedQueries(saved, history) }
    case (_, .themes(let themes, let kept)):
      deliver(response)
      if place != nil, !isChoosingTheme { open(ThemesPane(themes, kept: kept)) }
    case (_, .stores), (_, .paths), (_, .freePath): deliver(response)
    case (.countValues(_, let answer, _), .values(let facets)):
      updatePane(FacetsPane.self) { $0.show(facets, of: answer.plan, in: $1) }
    case (_, .explanation(let lines)):
      if case .explanation(let tab) = purpose { show(explanation: lines, in: tab) }
    case (.prepare(let work), .rowsDone(let rows)): notice = .working(work.title, rows: rows)
    case (_, .text(let text, let sink)):
      return notify(nil) + [sink == .copying ? .copy(text) : .page(text)]
    case (_, .deletion(let deletion)): return confirm(deletion, from: place)
    case (.complete(let asked), .rows(let answer, let snapshot)):
      if purpose == .backgroundWork {
        return askBeforeDeleting(marked: answer, in: snapshot, from: place)
      }
      guard case .selection(let which) = purpose else {
        return openCopyMenu(of: answer, in: snapshot, plan: asked.plan)
      }
      if tab.results.table?.answer.plan == asked.plan { mark(which, of: answer) }
    case (_, .difference(let difference)): log(difference)
    case (.locate(let entity, let plan), .row(let row)): goTo(row: row, of: entity, in: plan)
    case (.countRows(let plan), .rowCount(let count)): showTypedCount(count, of: plan)
    case (.emptyReason(let answer), .emptyReason(let sentence)):
      tab.results.emptyReason = sentence.map { EmptyReason(plan: answer.plan, sentence: $0) }
    case (.search, .rowsDone(let count)): reportSearch(rows: count)
    case (_, .found(let hit)): return goTo(hit)
    case (_, .edited(let text)): return use(text)
    case (_, .progress(let progress)): updateExports { $0.showProgress(progress) }
    case (_, .exported(let outcome)): return report(outcome)
    case (.runCommand(let command, _), .commandEnded(let result)):
      return report(result, of: command, from: place)
    case (_, .entityID(let id)): return make(id)
    case (_, .store(let listing)): return open(found: listing, from: place)
    // The failure of any other request needs no message, for example after cancellation.
    default: break
    }
    return []
  }
}
