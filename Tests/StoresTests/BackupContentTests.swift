import DataSources
import Foundation
import LiveQueries
@testable import Stores
import TestSupport
import Testing
import Triples

@Suite("Contents of a backup", .timeLimit(.minutes(10)))
struct BackupContentTests {
  /// Of everything that a description can say, also what this version does not know.
  private static let configuration = """
    {"counts":{"$files":1,"notes":2,"people":1},"tripleCount":12,"schema":{"entities":{
      "$files":{"attrs":{"path":{"valueType":"string","config":{"unique":true,"indexed":true},
        "required":true},"url":{"valueType":"string","config":{"unique":false,"indexed":false}}}},
      "notes":{"attrs":{"title":{"valueType":"string","config":{"unique":false,"indexed":true},
        "required":true,"future":7},"body":{"valueType":"json",
        "config":{"unique":false,"indexed":false}},"due":{"valueType":"date",
        "config":{"unique":false,"indexed":true}}}},
      "people":{"attrs":{"email":{"valueType":"string","config":{"unique":true,"indexed":true}}},
        "color":"red"}},
      "links":{"notesOwner":{"forward":{"on":"notes","label":"owner","has":"one","required":true,
        "onDelete":"cascade"},"reverse":{"on":"people","label":"notes","has":"many",
        "onDelete":"cascade"},"since":3},
        "friends":{"forward":{"on":"people","label":"friends","has":"many"},
        "reverse":{"on":"people","label":"friendOf","has":"many"}}},"rooms":{"a":{}}},
      "rules":{"notes":{"allow":{"view":"auth.id != null"}}},
      "webhooks":[{"namespaces":["notes"],"sink":{"url":"https://example.com"},
        "status":"active","actions":["create"]}],
      "emailTemplates":[{"type":"magic-code","body":"{code}","name":"n","subject":"s",
        "email":"a@example.com"}],
      "authorizedRedirectOrigins":[{"service":"generic","params":["example.com"]}],
      "title":"Notes","appId":"5a000000-0000-4000-8000-00000000a001","isn":"0/1",
      "description":"by hand","backupAt":1736467200000,"newer":{"kept":[1,null]}}
    """

  private static func id(_ number: Int) -> String {
    "c0000000-0000-4000-8000-" + String(repeating: "0", count: 10)
      + (number < 10 ? "0\(number)" : "\(number)")
  }

  private static let entities: [String: [String]] = [
    "$files": [
      """
      {"entity":{"id":"\(id(1))","path":"a.png","url":"u","location-id":"loc-1","size":3,\
      "content-type":"image/png"},"createdAt":5}
      """
    ],
    "notes": [
      """
      {"entity":{"id":"\(id(2))","title":"a\\u0000\\u202e","body":{"deep":[[[-0.0,5e-324]]]},\
      "due":null,"owner":"\(id(4))"},"createdAt":1736467200014}
      """,
      """
      {"entity":{"id":"\(id(3))","title":"","body":9223372036854775807,"due":1704067200000,\
      "owner":"\(id(9))"},"createdAt":0}
      """,
    ],
    "people": [
      """
      {"entity":{"id":"\(id(4))","email":"e@example.com","odd":[null],"friends":["\(id(4))"]},\
      "createdAt":7}
      """
    ],
  ]

  private static func write(to path: String) throws {
    var zip = try ZipWriter(path)
    try zip.add(StoreAttachment(name: "config.json", bytes: Array(configuration.utf8)))
    for (namespace, lines) in entities.sorted(by: { $0.key < $1.key }) {
      try zip.add(
        StoreAttachment(
          name: "entities/\(namespace).jsonl",
          bytes: Array((lines.joined(separator: "\n") + "\n").utf8)))
    }
    try zip.add(StoreAttachment(name: "files/loc-1", bytes: [0, 255, 10]))
    try zip.add(
      StoreAttachment(name: "later/what.bin", bytes: Array(repeating: 7, count: 3_000_000)))
    try zip.finish()
  }

  /// Each entry; lines of entities sorted, JSON as values.
  private static func content(of path: String) throws -> [String: Value] {
    let zip = try ZipReader(path)
    var content: [String: Value] = [:]
    for entry in zip.entries {
      let bytes = try zip.bytes(of: entry)
      if entry.name == "config.json" {
        content[entry.name] = try JSONReader.value(of: bytes)
      } else if entry.name.hasSuffix(".jsonl") {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        content[entry.name] = .array(
          try lines.sorted().map { try JSONReader.value(of: Array($0.utf8)) })
      } else {
        content[entry.name] = .array(
          [.integer(Int64(bytes.count))]
            + bytes.prefix(9).map {
              .integer(Int64($0))
            })
      }
    }
    return content
  }

  /// The same but for what differs by nature: the label that the schema did not know is in it now.
  private static func expected(_ content: [String: Value]) throws -> [String: Value] {
    let odd = "\"odd\":{\"valueType\":\"any\",\"config\":{\"unique\":false,\"indexed\":false}}"
    let text = configuration.replacing("},\n    \"color\"", with: ",\(odd)},\n    \"color\"")
    var expected = content
    expected["config.json"] = try JSONReader.value(of: Array(text.utf8))
    return expected
  }

  @Test(
    "a backup that is read and written again is equal but for the order of lines",
    arguments: [false, true])
  func again(_ isImported: Bool) async throws {
    try await withTemporaryFolder { folder in
      try Self.write(to: folder + "/a.zip")
      var whole = try await BackupStore(Backup.load(file: folder + "/a.zip"))
        .wholeStore(bytes: .spelled)
      if isImported {
        try await LocalStore.create(file: folder + "/a.sonde", of: whole)
        let store = try await LocalStore.open(file: folder + "/a.sonde", access: .readOnly)
        whole = try await store.wholeStore(bytes: .spelled)
        await store.close()
      }
      whole.asOf = 1_736_467_200_000
      let remarks = try await StoreExport.write(whole, to: folder + "/b.zip", as: .backup)
      #expect(remarks == [])
      var (before, after) = (
        try Self.expected(try Self.content(of: folder + "/a.zip")),
        try Self.content(of: folder + "/b.zip")
      )
      for name in Set(before.keys).union(after.keys) {
        if name == "config.json" {
          guard case .object(var one)? = before[name], case .object(var other)? = after[name] else {
            continue
          }
          one["tripleCount"] = nil
          other["tripleCount"] = nil
          (before[name], after[name]) = (.object(one), .object(other))
        }
        #expect(before[name] == after[name], "\(name)")
      }
      try Self.checkRestorable(folder + "/b.zip")
    }
  }

  /// The rules of Instant's restore: the description, then entities of known labels, then files that
  /// rows name.
  private static func checkRestorable(_ path: String) throws {
    let names = try ZipReader(path).entries.map(\.name)
    let content = try Self.content(of: path)
    let kinds = names.map { name in
      name == "config.json" ? 0 : name.hasPrefix("entities/") ? 1 : name.hasPrefix("files/") ? 2 : 3
    }
    #expect(kinds == kinds.sorted() && kinds.count { $0 == 0 } == 1, "\(names)")
    guard case .object(let configuration)? = content["config.json"],
      case .object(let schema)? = configuration["schema"],
      case .object(let entities)? = schema["entities"], case .object(let links)? = schema["links"]
    else { return }
    var blobs: Set<String> = []
    for (name, rows) in content where name.hasPrefix("entities/") {
      let namespace = String(name.dropFirst("entities/".count).dropLast(".jsonl".count))
      var labels: Set<String> = ["id"]
      if case .object(let entity)? = entities[namespace], case .object(let attrs)? = entity["attrs"]
      {
        labels.formUnion(attrs.keys)
      }
      for link in links.members {
        if case .object(let link) = link.value, case .object(let forward)? = link["forward"],
          forward["on"] == .text(namespace), case .text(let label)? = forward["label"]
        {
          labels.insert(label)
        }
      }
      guard case .array(let rows) = rows else { continue }
      for case .object(let row) in rows {
        guard case .object(let entity)? = row["entity"] else { continue }
        for label in entity.keys where !labels.contains(label) {
          #expect(BackupConfiguration.isHidden(label, in: namespace), "\(namespace).\(label)")
        }
        if namespace == "$files", case .text(let id)? = entity["location-id"] {
          blobs.insert("files/" + id)
        }
      }
    }
    #expect(Set(names.filter { $0.hasPrefix("files/") }) == blobs)
  }

  @Test("rows of uploaded files without bytes, and bytes without a row, are reported")
  func uploads() async throws {
    try await withTemporaryFolder { folder in
      try Self.write(to: folder + "/a.zip")
      let backup = try Backup.load(file: folder + "/a.zip")
      var whole = WholeStore(backup.store)
      let missing = try await StoreExport.write(whole, to: folder + "/b.zip", as: .backup)
      #expect(missing.count == 1 && missing[0].contains("1 uploaded file"), "\(missing)")
      whole.attachments.insert(StoreAttachment(name: "files/x", bytes: [1]))
      let both = try await StoreExport.write(whole, to: folder + "/c.zip", as: .backup)
      #expect(both.count == 2)
      let dump = try await StoreExport.write(
        WholeStore(backup.store, attachments: backup.attachments), to: folder + "/d.json", as: .dump
      )
      #expect(
        dump == [
          "Not in this export: the permission rules, webhooks, e-mail templates, redirect origins, "
            + "2 stored files. Only a backup (.zip) can contain them."
        ])
    }
  }

  @Test("an attachment of a changed archive fails and leaves the old file")
  func changedArchive() async throws {
    try await withTemporaryFolder { folder in
      try Self.write(to: folder + "/a.zip")
      let backup = try Backup.load(file: folder + "/a.zip")
      let whole = WholeStore(backup.store, attachments: backup.attachments)
      try await StoreExport.write(whole, to: folder + "/out.zip", as: .backup)
      let good = try Data(contentsOf: URL(filePath: folder + "/out.zip"))
      try Data("x".utf8).write(to: URL(filePath: folder + "/a.zip"))
      await #expect(throws: StoreError.self) {
        try await StoreExport.write(
          whole, to: folder + "/out.zip", as: .backup, isReplacing: true)
      }
      #expect(try Data(contentsOf: URL(filePath: folder + "/out.zip")) == good)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }
  }
}
