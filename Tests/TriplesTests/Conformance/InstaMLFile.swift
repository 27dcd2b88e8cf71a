import ConformanceSupport
import Triples

/// A file of the shared conformance data: facts, and sequences of transactions with their
/// results.
struct InstaMLFile {
  let store: TripleStore
  /// The schema for validating operations; nil allows anything.
  let declared: Schema?
  let readsDates: Bool
  let sequences: [Sequence]

  struct Sequence {
    let name: String
    let steps: [JSONObject]
    let finalTriples: [Value]
  }

  static let folder = ConformanceFile.folder("instaml")

  static let names =
    folder.map { ConformanceFile.names(in: $0, format: "instaml-conformance/1") } ?? []

  init(_ name: String) throws {
    let file = try ConformanceFile.object(required(Self.folder) + "/\(name).json")
    let options = file["options"]?.object ?? JSONObject()
    readsDates = options["useDateObjects"] == true
    declared =
      options["useSchema"] == true
      ? try ConformanceFile.schema(required(file["schema"]?.object)) : nil
    // Stores keep dates as written.
    store = try ConformanceFile.store(
      required(file["attrs"]), required(file["triples"]).withPlainDates)
    sequences = (file["sequences"]?.list ?? []).compactMap(\.object).map { sequence in
      Sequence(
        name: sequence["name"]?.text ?? "",
        steps: (sequence["steps"]?.list ?? []).compactMap(\.object),
        finalTriples: sequence["finalTriples"]?.list ?? [])
    }
  }
}
