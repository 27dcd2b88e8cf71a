#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a ``StateFile``, kept as lines and decoded on demand.
struct StateContent: Sendable, Equatable {
  /// What identifies an entry: its key and, if it has one, the name of its table.
  struct Place: Sendable, Comparable {
    var table: String?
    var key: String

    /// Orders entries without a table first, then by table and key. Equivalent Unicode spellings
    /// are equal, as in Swift's comparison of strings.
    static func < (left: Place, right: Place) -> Bool {
      guard left.table == right.table else {
        guard let leftTable = left.table else { return true }
        guard let rightTable = right.table else { return false }
        return leftTable < rightTable
      }
      return left.key < right.key
    }
  }

  /// An entry as a line of the file, without the line break.
  struct Line: Sendable, Equatable {
    var place: Place
    var bytes: ArraySlice<UInt8>
  }

  /// How many times the file was written.
  var changes = 0
  /// The lines of the entries, sorted by their places and without duplicates.
  private(set) var lines: [Line] = []

  init() {}

  /// Parses the content of a file.
  /// - Parameter known: The previous content, so that lines that did not change are not decoded
  ///   again.
  /// - Throws: `dataSerialization` with the file and the line that is invalid.
  /// - Complexity: O(size of the file), plus O(*n*) for each line that is out of order.
  init(
    parsing bytes: [UInt8], path: String, known: StateContent = StateContent()
  ) throws(DataSourceError) {
    let decoder = JSONDecoder()
    var rest = known.lines[...]
    for (number, line) in bytes.split(separator: 0x0A).enumerated() {
      do {
        if number == 0 {
          let header = try decoder.decode(Header.self, from: Data(line))
          guard header.format == Header.ours else {
            throw DataSourceError.notValid(
              "\(path) has the format \"\(header.format)\". This version of the program can only read \"\(Header.ours)\"."
            )
          }
          changes = header.changes
        } else if let same = rest.first, same.bytes == line {
          set(line, at: same.place)
          rest.removeFirst()
        } else {
          let named = try decoder.decode(LinePlace.self, from: Data(line))
          let place = Place(table: named.table, key: named.key)
          set(line, at: place)
          rest = rest.drop { $0.place < place }
          if rest.first?.place == place { rest.removeFirst() }
        }
      } catch {
        throw DataSourceError(
          wrapping: error, "Line \(number + 1) of the state file \(path) is not a valid entry.")
      }
    }
    if bytes.isEmpty || bytes.last != 0x0A {
      throw .dataSerialization("The file \(path) is truncated. It was left unchanged.")
    }
  }

  var bytes: [UInt8] {
    var bytes = Array("{\"changes\":\(changes),\"format\":\"\(Header.ours)\"}\n".utf8)
    for line in lines {
      bytes += line.bytes
      bytes.append(0x0A)
    }
    return bytes
  }

  /// Returns the index of `place`, or the index at which to insert it.
  /// - Complexity: O(log *n*).
  private func position(of place: Place) -> (index: Int, isThere: Bool) {
    // Lines are usually in order, so the place is usually after the last line.
    guard let last = lines.last, !(last.place < place) else { return (lines.count, false) }
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return (low, low < lines.count && lines[low].place == place)
  }

  private mutating func set(_ bytes: ArraySlice<UInt8>, at place: Place) {
    let (index, isThere) = position(of: place)
    if isThere {
      lines[index].bytes = bytes
    } else {
      lines.insert(Line(place: place, bytes: bytes), at: index)
    }
  }

  private struct Header: Codable {
    static let ours = "data-sources 1"
    var changes: Int
    var format: String
  }

  fileprivate struct LinePlace: Decodable {
    var key: String
    var table: String?
  }
}

/// A line of the file, including its object.
private struct StateLine<Object: Codable>: Codable {
  var key: String
  var table: String?
  var one: Object?
  var many: [Object]?
}

/// A line whose object may be a JSON null. With an optional property, null would look like a
/// missing object.
private struct NullableLine<Object: Decodable>: Decodable {
  var one: Object
}

extension StateContent {
  /// Returns the entry at `place`, decoded as `Object`; nil when there is none.
  /// - Throws: `dataSerialization` when the entry has another type.
  func entry<Object: Codable & Sendable>(
    at place: Place, of type: Object.Type, path: String, coding: JSONCoding = .standard
  ) throws(DataSourceError) -> DataEntry<Object>? {
    let (index, isThere) = position(of: place)
    guard isThere else { return nil }
    let line = lines[index].bytes
    do {
      let decoder = coding.decoder
      let read = try decoder.decode(StateLine<Object>.self, from: Data(line))
      if let many = read.many { return .many(many) }
      if let one = read.one { return .one(one) }
      return .one(try decoder.decode(NullableLine<Object>.self, from: Data(line)).one)
    } catch {
      throw DataSourceError(
        wrapping: error, "The entry \"\(place.key)\" of \(path) cannot be decoded as \(type).")
    }
  }

  /// A change of the content. It is encoded in advance, so that applying it cannot fail.
  enum Edit: Sendable {
    case set(Place, line: [UInt8])
    case remove(Place)
    case removeAll(@Sendable (Place) -> Bool)

    /// Returns the change that stores `entry` at `place`.
    /// - Throws: `dataSerialization` when the object cannot be encoded as JSON.
    static func setting<Object: Codable & Sendable>(
      _ entry: DataEntry<Object>, at place: Place, coding: JSONCoding = .standard
    ) throws(DataSourceError) -> Edit {
      var line = StateLine<Object>(key: place.key, table: place.table)
      switch entry {
      case .one(let object): line.one = object
      case .many(let objects): line.many = objects
      }
      let bytes = try coding.write(
        line, "The object for the key \"\(place.key)\" cannot be encoded as JSON.")
      guard isLine(bytes, of: place) else {
        throw .dataSerialization(
          "The JSON coding of the source adds line breaks or renames keys, which a state file does not "
            + "support. Use a coding without such settings.")
      }
      return .set(place, line: bytes)
    }

    /// Returns whether the encoded bytes are a single line that contains this place. Custom encoder
    /// settings could add line breaks or rename keys.
    private static func isLine(_ bytes: [UInt8], of place: Place) -> Bool {
      guard !bytes.contains(0x0A),
        let read = try? JSONDecoder().decode(LinePlace.self, from: Data(bytes))
      else { return false }
      return Place(table: read.table, key: read.key) == place
    }
  }

  mutating func apply(_ edit: Edit) {
    switch edit {
    case .set(let place, let line): set(line[...], at: place)
    case .remove(let place):
      let (index, isThere) = position(of: place)
      if isThere { lines.remove(at: index) }
    case .removeAll(let isOurs): lines.removeAll { isOurs($0.place) }
    }
  }
}
