import DataSources
import DataSourcesTesting
import Notebooks
import Testing

@Suite("Trusted files and projects")
struct TrustedFileTests {
  @Test(
    "SHA-256 of known messages",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000),
        "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
      ),
    ])
  func digests(_ message: String, _ digest: String) {
    let bytes = SHA256.digest(of: Array(message.utf8))
    let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(text == digest)
  }

  @Test("another path or text has another digest")
  func digestsOfFiles() {
    let digests = [("/a", "x"), ("/a", "y"), ("/b", "x"), ("/a\0", "x")].map {
      TrustedFile.digest(path: $0.0, text: Array($0.1.utf8))
    }
    #expect(Set(digests).count == 4)
  }

  @Test("an allowed file is remembered by its digest")
  func trust() async throws {
    let folder = TemporaryFolder()
    let file = NotebookFile(path: folder.file("notebook"))
    let notebook = await file.open().notebook
    try await notebook.trust(TrustedFile(path: "/data/.sonde.toml", digest: "abc"))
    #expect(await file.trusts("abc"))
    #expect(await !file.trusts("abd"))
    #expect(try await file.open().notebook.trusts("abc"))
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
    try await notebook.keep(ColumnSettings(hidden: []), of: "cities", in: "world")
    #expect(try await notebook.columns(of: "cities", in: "world").hidden == [])
  }
}
