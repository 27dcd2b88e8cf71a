import DataSources
import DataSourcesTesting
import Notebooks
import Testing

@Suite("Trusted files and projects")
struct TrustedFileTests {
  @Test("an allowed file is remembered by its path and text")
  func trust() async throws {
    let folder = TemporaryFolder()
    let file = NotebookFile(path: folder.file("notebook"))
    let allowed = TrustedFile(path: "/data/.sonde.toml", text: "[[command]]")
    let notebook = await file.open().notebook
    try await notebook.trust(allowed)
    #expect(await file.trusts(allowed))
    #expect(try await file.open().notebook.trusts(allowed))
    var changed = allowed
    changed.text += "\n"
    #expect(await !file.trusts(changed))
    let moved = TrustedFile(path: "/other/.sonde.toml", text: allowed.text)
    #expect(await !file.trusts(moved))
  }

  @Test("queries of a project hide saved ones of the same name, and stay unchanged")
  func queries() async throws {
    var notebook = Notebook.inMemory()
    let own = SavedQuery(name: "large", store: "world", text: "cities")
    try await notebook.save(own)
    let theirs = SavedQuery(name: "large", store: "", text: "countries")
    notebook.project = ProjectDefaults(file: ".sonde.toml", queries: [theirs])
    #expect(try await notebook.savedQueries(in: "world") == [theirs])
    let shared = notebook
    await #expect(throws: DataSourceError.self) { try await shared.save(own) }
    await #expect(throws: DataSourceError.self) { try await shared.remove(theirs) }
    notebook.project = ProjectDefaults()
    #expect(try await notebook.savedQueries(in: "world") == [own])
  }

  @Test("columns of a project apply until the user arranges them")
  func columns() async throws {
    var notebook = Notebook.inMemory()
    notebook.project = ProjectDefaults(columns: ["cities": ColumnSettings(hidden: ["area"])])
    #expect(try await notebook.columns(of: "cities", in: "world").hidden == ["area"])
    #expect(try await notebook.columns(of: "countries", in: "world").hidden == [])
    try await notebook.save(ColumnSettings(hidden: []), of: "cities", in: "world")
    #expect(try await notebook.columns(of: "cities", in: "world").hidden == [])
  }
}
