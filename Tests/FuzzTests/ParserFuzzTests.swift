import InstaQL
import Stores
import TerminalUI
import TestSupport
import Testing
import Triples

@Suite("A parser survives damaged input", .serialized, .timeLimit(.minutes(60)))
struct ParserFuzzTests {
  @Test("of TOML")
  func toml() async throws {
    let words = [
      "[", "]", "[[", "\n[", "\"\"\"", "'''", ".", "=", "{", "}", "#", "\\", "é", "\r\n", " ",
    ]
    try await Fuzzing.run("toml", words: words) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(ThemeError) {
        _ = try Theme(toml: text, file: "t.toml")
      } catch {
        guard error.line >= 1, !error.message.hasSuffix("..") else { throw error }
      }
    }
  }

  @Test("of JSON, which writes and reads back what it has read")
  func json() async throws {
    try await Fuzzing.run("json", words: ["{", "[", "\"", "\\u", "\\ud83e", ":", ",", "e+"]) {
      bytes in
      guard let value = try? JSONReader.value(of: bytes) else { return }
      let again = try JSONReader.value(of: JSONWriter.bytes(value))
      guard again == value else { throw Difference(what: JSONWriter.text(value)) }
    }
  }

  @Test("of tables and datasets")
  func dataset() async throws {
    let people = Array(#"[{"key":"ana","name":"Ana","boss":"ana"}]"#.utf8)
    try await Fuzzing.run("csv", words: ["\"", "\"\"", ",", "\t", "\r", "\n", "1e999"]) { bytes in
      for name in ["people.csv", "people.tsv"] {
        let store = try? Dataset.load([(name: name, bytes: bytes)])
        try store?.checkSoundness()
      }
    }
    try await Fuzzing.run("dataset", words: ["{", "\"has\":", "\"many\"", "null"]) { bytes in
      let store = try? Dataset.load([
        (name: "schema.json", bytes: bytes), (name: "people.json", bytes: people),
      ])
      try store?.checkSoundness()
    }
  }

  @Test("of dumps")
  func dump() async throws {
    try await Fuzzing.run("dump", words: ["{", "[", "null", "\"ref\"", "true"]) { bytes in
      try (try? TripleDump.load(bytes))?.checkSoundness()
    }
  }

  @Test("of zip files")
  func zip() async throws {
    let folder = try TemporaryPath()
    try await Fuzzing.run("zip", words: ["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}"]) { bytes in
      let file = folder.path + "/backup.zip"
      try folder.write(bytes, to: file)
      try (try? Backup.load(file: file))?.store.checkSoundness()
    }
  }

  @Test("of queries, which are answered or rejected")
  func query() async throws {
    let store = try Dataset.load([
      (name: "cities.json", bytes: Array(#"[{"key":1,"name":"Rome","population":3}]"#.utf8))
    ])
    let words = [
      "filter ", "and ", "or ", "not ", "(", ")", "\"", ".", "with ", "{", "}", "1e9", "date ",
    ]
    try await Fuzzing.run("query", words: words) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      for schema in [nil, store.schema] {
        guard let document = try? QueryDocument(text: text, schema: schema) else { continue }
        for plan in document.plans { _ = try? QueryEngine.answer(plan, in: store) }
      }
    }
    try await Fuzzing.run("instaql", words: ["{", "\"$\":", "\"where\":", "null", "[", "-1"]) {
      bytes in
      for reading in [InstaQLReading.strict, .served] {
        guard let document = try? QueryDocument(json: bytes, reading: reading) else { continue }
        for plan in document.plans { _ = try? QueryEngine.answer(plan, in: store) }
      }
    }
  }
}

struct Difference: Error {
  let what: String
}

extension TripleStore {
  func checkSoundness() throws {
    let faults = checkInvariants()
    if !faults.isEmpty { throw Difference(what: "\(faults.prefix(3))") }
  }
}
