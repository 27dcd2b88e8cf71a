import InstaQL

// Passes responses to the code that made the requests.
extension Workspace {
  mutating func handleResponse(_ response: Response, to id: RequestID) -> [Effect] {
    guard let purpose = requests.resolve(response, to: id) else { return [] }
    switch (purpose, response) {
    // Without these responses, the palette still has commands, namespaces and columns.
    case (.listSavedQueries, .failed), (.listThemes, .failed): break
    case (.listSavedQueries, .savedQueries(let saved, _)):
      updatePane(PalettePane.self) { $0.setSavedQueries(saved, in: $1) }
    case (.listThemes, .themes(let themes, _)):
      updatePane(PalettePane.self) { $0.setThemes(themes.map(\.name), in: $1) }
    case (.find, .failed(let failure?)): reportSearch(failure)
    case (_, .failed(let failure?)): notice = failure
    case (.showColumns(let namespace), .columns(let settings)):
      show(settings, of: namespace)
    case (.openSavedQueries, .savedQueries(let saved, let history)):
      reloadSavedQueries(saved, history)
      openSavedQueries(saved, history)
    case (.reloadSavedQueries, .savedQueries(let saved, let history)):
      reloadSavedQueries(saved, history)
    case (.explain(let tab), .explanation(let lines)): show(explanation: lines, in: tab)
    case (.prepare(let title, _), .rowsDone(let rows)): notice = .working(title, rows: rows)
    case (.prepare(_, let place), .prepared(let prepared)): return use(prepared, from: place)
    case (.countValues(let counting, _), .values(let facets)):
      updatePane(FacetsPane.self) { $0.showFacets(facets, of: counting.plan, in: $1) }
    case (.select(let which, let plan), .rows(let answer, _)):
      if tab.results.table?.answer.plan == plan { mark(which, of: answer) }
    case (.copy(let plan), .rows(let answer, let snapshot)):
      return openCopyMenu(of: answer, in: snapshot, plan: plan)
    case (.logChanges, .difference(let difference)): log(difference)
    case (.locate(let entity, let plan), .row(let row)): goTo(row: row, of: entity, in: plan)
    case (.countTyped(let plan), .rowCount(let count)): showTypedCount(count, of: plan)
    case (.explainEmpty(let plan), .missingName(let name)):
      tab.results.emptyReason = name.map { EmptyReason(plan: plan, name: $0) }
    case (.find, .rowsDone(let count)): reportSearch(rows: count)
    case (.find, .found(let hit)): return goTo(hit)
    case (.edit, .edited(let text)): return use(text)
    case (.export, .progress(let progress)): updateExports { $0.showProgress(progress) }
    case (.export, .exported(let outcome)): return report(outcome)
    case (.runCommand(let command, _, let place), .commandEnded(let result)):
      return report(result, of: command, from: place)
    case (.add, .entityID(let id)): return make(id)
    case (.openThemes, .themes(let themes, let kept)): open(themes, kept: kept)
    case (.reloadThemes, .themes(let themes, _)):
      updatePane(ThemesPane.self) { $0.showThemes(themes, in: $1) }
    case (.listStores, .stores(let stores)):
      updatePane(StoresPane.self) { $0.showStores(stores, in: $1) }
    case (.completePath, .paths(let paths)): completePath(with: paths)
    case (.openStore(let place), .store(let listing)): return open(found: listing, from: place)
    // The failure of any other request needs no message, for example after cancellation.
    default: break
    }
    return []
  }
}
