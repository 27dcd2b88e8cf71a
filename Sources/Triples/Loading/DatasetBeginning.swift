// Loads the beginning of a file, to show its first rows while the whole file is loaded.
extension Dataset {
  /// Loads the complete records in the first bytes of a file.
  ///
  /// A row has the same id as in the whole file. Values may have other types, because columns are
  /// typed by all of their values.
  ///
  /// - Parameters:
  ///   - path: The path of the file; its extension determines the format.
  ///   - bytes: The first bytes of the file.
  /// - Returns: Nil if the format has no records, or if none of them can be read.
  package static func beginning(ofFile path: String, _ bytes: [UInt8]) -> TripleStore? {
    let file = DatasetFile(path: path, bytes: bytes)
    guard file.isData, let end = file.endOfRecords,
      let store = try? read([(name: path, bytes: Array(bytes[..<end]))]).store,
      store.count(of: file.namespace) > 0
    else { return nil }
    return store
  }
}

extension DatasetFile {
  /// The end of the last record that is certainly complete, although more bytes may follow. Nil if
  /// there is none.
  fileprivate var endOfRecords: Int? {
    if DatasetEncoding.marked(bytes) != nil { return nil }
    switch format {
    case .csv: return CSVReader.endOfRecords(in: bytes, .commas)
    case .tsv: return CSVReader.endOfRecords(in: bytes, .tabs)
    case .jsonl: return bytes.lastIndex(of: UInt8(ascii: "\n"))
    case .json, nil: return nil
    }
  }
}

extension CSVReader {
  /// Returns the end of the last record before another line begins; nil if there is none.
  ///
  /// Records after a malformed quote do not count, because the whole file determines how the quote
  /// is read.
  fileprivate static func endOfRecords(in bytes: [UInt8], _ form: Form) -> Int? {
    bytes.withUnsafeBufferPointer { source in
      var reader = CSVReader(source, form)
      var cells: [Cell] = []
      var end: Int?
      while (try? reader.next(into: &cells)) == true, reader.position < source.count {
        end = reader.position
      }
      return end
    }
  }
}
