import DataSources
import Notebooks
import TerminalUI

/// Reads a query from the command line: a text, or `@` with the name or file of a query.
///
///     sonde query world @big              the query that was saved as "big"
///     sonde query world @./big.sonde-query    the query in this file
enum SavedQueryText {
  /// Returns the text of the query that the words contain, or of the saved query that they name.
  ///
  /// - Parameter store: The address of the store. Its saved queries have priority. A query saved
  ///   for another store is used if it is the only one with that name.
  static func text(of words: [String], in store: String) throws(Failure) -> String {
    let typed = words.joined(separator: " ")
    guard typed.first == "@" else { return typed }
    let name = String(typed.dropFirst())
    do throws(DataSourceError) {
      if name.contains("/") { return try QueryFolder.query(ofFile: name).text }
    } catch {
      throw Failure(message: error.message, status: ExitStatus.invalidQuery)
    }
    if let query = ofProject(name, store) { return query }
    return try saved(as: name, in: store)
  }

  /// Returns the query with this name in the project's settings; nil if there is none.
  private static func ofProject(_ name: String, _ store: String) -> String? {
    let folder = (try? StoreLocation(store))?.projectFolder
    let project = ProjectSettings(folder: folder, user: Settings())
    return project?.settings.queries.first { $0.name == name }?.text
  }

  private static func saved(as name: String, in store: String) throws(Failure) -> String {
    let all = try Self.all()
    let store = StoreLocation.withoutPassword(store)
    let named = all.filter { $0.name == name }
    if let query = named.first(where: { $0.store == store })
      ?? named.first(where: { $0.store.isEmpty })
    {
      return query.text
    }
    if named.count == 1 { return named[0].text }
    throw Failure(
      message: complaint(about: name, named, among: all), status: ExitStatus.invalidQuery)
  }

  /// Returns the saved queries of all stores.
  static func all() throws(Failure) -> [SavedQuery] {
    try waiting { () async throws(Failure) in
      guard let folders = Folders() else { return [] }
      let file = NotebookFile(path: folders.state + "/notebook")
      // Opening the notebook migrates files of earlier versions.
      let notebook = await file.open().notebook
      do throws(DataSourceError) { return try await notebook.savedQueries() } catch {
        throw Failure(error)
      }
    }
  }

  private static func complaint(
    about name: String, _ named: [SavedQuery], among all: [SavedQuery]
  ) -> String {
    if named.count > 1 {
      return
        "The query '\(name)' is saved for \(named.map(\.store).joined(separator: " and ")), but not for this "
        + "store. Use @ followed by the path of the query's file."
    }
    let near = NearestWord.find(name, among: all.map(\.name)).map { " Did you mean '@\($0)'?" }
    return "There is no saved query '\(name)'."
      + (near ?? " Save queries in the explorer with b, or use @./FILE.")
  }
}
