import InstaQL

// Passes responses to the code that made the requests.
extension Workspace {
  mutating func handleResponse(_ response: Response, to id: RequestID) -> [Effect] {
    guard let purpose = requests.resolve(response, to: id) else { return [] }
    switch (purpose, response) {
    // Without these responses, the palette still has commands, namespaces and columns.
    case (.savedQueries(opens: false), .failed) where focusedPane != .saved: break
    case (.themes(opens: false), .failed): break
    case (.find, .failed(let failure?)): reportSearch(failure)
    case (_, .failed(let failure?)): notice = failure
    case (.showColumns(let namespace), .columns(let settings)):
      show(settings, of: namespace)
    case (.savedQueries(let opens), .savedQueries(let saved, let history)):
      deliver(response)
      if opens { openSavedQueries(saved, history) }
    case (.themes(let opens), .themes(let themes, let kept)):
      deliver(response)
      if opens, !isChoosingTheme { open(ThemesPane(themes, kept: kept)) }
    case (.stores, .stores), (.path, .paths): deliver(response)
    case (.countValues(let counting), .values(let facets)):
      updatePane(FacetsPane.self) { $0.show(facets, of: counting.plan, in: $1) }
    case (.explain(let tab), .explanation(let lines)): show(explanation: lines, in: tab)
    case (.prepare(let title, _), .rowsDone(let rows)): notice = .working(title, rows: rows)
    case (.prepare, .text(let text, let sink)):
      return notify(nil) + [sink == .copying ? .copy(text) : .page(text)]
    case (.prepare(_, let place), .deletion(let deletion)):
      return confirm(deletion, from: place)
    case (.select(let which, let plan), .rows(let answer, _)):
      if tab.results.table?.answer.plan == plan { mark(which, of: answer) }
    case (.copy(let plan), .rows(let answer, let snapshot)):
      return openCopyMenu(of: answer, in: snapshot, plan: plan)
    case (.logChanges, .difference(let difference)): log(difference)
    case (.locate(let entity, let plan), .row(let row)): goTo(row: row, of: entity, in: plan)
    case (.countTyped(let plan), .rowCount(let count)): showTypedCount(count, of: plan)
    case (.explainEmpty(let plan), .missingName(let name)):
      tab.results.emptyReason = name.map { EmptyReason(plan: plan, sentence: $0.sentence) }
    case (.find, .rowsDone(let count)): reportSearch(rows: count)
    case (.find, .found(let hit)): return goTo(hit)
    case (.edit, .edited(let text)): return use(text)
    case (.export, .progress(let progress)): updateExports { $0.showProgress(progress) }
    case (.export, .exported(let outcome)): return report(outcome)
    case (.runCommand(let command, _, let place), .commandEnded(let result)):
      return report(result, of: command, from: place)
    case (.add, .entityID(let id)): return make(id)
    case (.openStore(let place), .store(let listing)): return open(found: listing, from: place)
    // The failure of any other request needs no message, for example after cancellation.
    default: break
    }
    return []
  }
}
