#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a ``StateFile``: each kept as the line that it is, and read only when asked for.
struct StateContent: Sendable, Equatable {
  /// Where an entry stands: a key, in a table of its own or among the common ones.
  struct Place: Sendable, Comparable {
    var table: String?
    var key: String

    /// Common entries first, then table by table; by key, as texts compare: two spellings of one
    /// letter are the same.
    static func < (left: Place, right: Place) -> Bool {
      guard left.table == right.table else {
        guard let leftTable = left.table else { return true }
        guard let rightTable = right.table else { return false }
        return leftTable < rightTable
      }
      return left.key < right.key
    }
  }

  /// An entry as it stands in the file, without the line's end.
  struct Line: Sendable, Equatable {
    var place: Place
    var bytes: ArraySlice<UInt8>
  }

  /// How often the file was written.
  var changes = 0
  /// In the order of their places, each place once.
  private(set) var lines: [Line] = []

  init() {}

  /// - Parameter known: What the file was before; lines that it has still are not read again.
  /// - Throws: `dataSerialization` naming the file and the line that cannot be understood.
  /// - Complexity: O(size of the file), plus O(*n*) for each line that is not in its order.
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
              "\(path) is of the format \"\(header.format)\"; this program reads \"\(Header.ours)\"."
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
          wrapping: error, "\(path), line \(number + 1): this is not an entry of a state file.")
      }
    }
    if bytes.isEmpty || bytes.last != 0x0A {
      throw .dataSerialization("\(path) ends in the middle; it was left as it is.")
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

  /// Where `place` is, or would be.
  /// - Complexity: O(log *n*).
  private func position(of place: Place) -> (index: Int, isThere: Bool) {
    // As a rule lines come in their order.
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

  private struct LinePlace: Decodable {
    var key: String
    var table: String?
  }
}

/// One line with its object.
private struct StateLine<Object: Codable>: Codable {
  var key: String
  var table: String?
  var one: Object?
  var many: [Object]?
}

/// A line whose object is a JSON null, which an optional does not tell from a missing one.
private struct NullableLine<Object: Decodable>: Decodable {
  var one: Object
}

extension StateContent {
  /// The entry at `place`, read as `Object`s.
  /// - Throws: `dataSerialization` when it holds something else.
  func entry<Object: Codable & Sendable>(
    at place: Place, of type: Object.Type, path: String
  ) throws(DataSourceError) -> DataEntry<Object>? {
    let (index, isThere) = position(of: place)
    guard isThere else { return nil }
    let line = lines[index].bytes
    do {
      let decoder = JSONDecoder()
      let read = try decoder.decode(StateLine<Object>.self, from: Data(line))
      if let many = read.many { return .many(many) }
      if let one = read.one { return .one(one) }
      return .one(try decoder.decode(NullableLine<Object>.self, from: Data(line)).one)
    } catch {
      throw DataSourceError(
        wrapping: error, "The entry \"\(place.key)\" of \(path) is not a \(type).")
    }
  }

  /// A step of a write, ready to be carried out: what could fail has been done.
  enum Edit: Sendable {
    case set(Place, line: [UInt8])
    case remove(Place)
    case removeAll(@Sendable (Place) -> Bool)

    /// Puts `entry` at `place`.
    /// - Throws: `dataSerialization` when the object cannot be written as JSON.
    static func setting<Object: Codable & Sendable>(
      _ entry: DataEntry<Object>, at place: Place
    ) throws(DataSourceError) -> Edit {
      var line = StateLine<Object>(key: place.key, table: place.table)
      switch entry {
      case .one(let object): line.one = object
      case .many(let objects): line.many = objects
      }
      return .set(
        place, line: try JSONCoding.write(line, "\"\(place.key)\" cannot be written as JSON."))
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
