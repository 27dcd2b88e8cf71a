import DataSources
import GRDB
import HTTPDataSources
import InstaQL
import Notebooks
import SQLDataSources
import ServerStores

private struct Goal: Codable, Sendable {
  var title: String
}

// code: SQLDataSources/RowsQuery.swift
extension SearchQuery: RowsQuery {
  var selection: RowSelection { RowSelection("name LIKE ?", ["%\(text)%"], order: "name") }
}
// end

// code: HTTPDataSources/HTTPRequestQuery.swift
extension SearchQuery: HTTPQuery {
  var request: HTTPRequestQuery { HTTPRequestQuery(.get, "/search", parameters: ["q": text]) }
}
// end

private func rows(_ file: String) async throws {
  // code: SQLDataSources/SQLDataSource.swift
  struct City: Codable, Sendable, FetchableRecord, PersistableRecord {
    var id: Int
    var name: String
  }
  let cities = SQLDataSource<City>(try await SQLDatabase.open(path: file))
  try await cities.put(City(id: 1, name: "Lyon"), in: VoidQuery())
  let lyon = try await cities.get(id: 1)
  // end

  // code: SQLDataSources/SQLDataSource.swift
  let large = try await cities.getAll(
    EntityQuery.from("city").filter("population > \(1_000_000)").order("name").limit(10))
  // end
  _ = (lyon, large)
}

private func server() async throws {
  // code: HTTPDataSources/HTTPDataSource.swift
  let goals = HTTPDataSource<Goal>(HTTPClient(try HTTPAddress("http://localhost:8080/api")))
  let open = try await goals.getAll(HTTPRequestQuery(.get, "/goals", parameters: ["open": "yes"]))
  // end
  _ = open
}

private func remembered(_ folders: Folders, _ tokenFile: String) async throws {
  // code: Notebooks/Notebook.swift
  let (notebook, trouble) = await NotebookFile(path: folders.state + "/notebook").open()
  try await notebook.record(HistoryEntry(store: "world", text: "cities", when: WallClock().now))
  let saved = try await notebook.savedQueries(in: "world")
  // end

  // code: Notebooks/Tokens.swift
  let tokens = Tokens(secrets: Tokens.secrets(in: folders), file: tokenFile)
  let credential = try await tokens.credential(for: "wss://example.org/app")
  // end
  _ = (trouble, saved, credential)
}

private func server(_ token: String) async throws {
  // code: ServerStores/ServerStore.swift
  let store = try ServerStore.open("ws://localhost:8888/APP", as: .admin(token: token))
  let open = try await EntityQuery.from("tasks").filter("done = false").all(in: store)
  // end
  _ = open
}
