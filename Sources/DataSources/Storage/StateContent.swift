#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a ``StateFile``: each kept as the line that it is, and read only when asked for.
struct StateContent: Sendable, Equatable {
  /// Where an entry stands: a key, in a table of its own or among the common ones.
  struct Place: Sendable, Hashable, Comparable {
    var table: String?
    var key: String

    /// Common entries first, then table by table; by key, by the bytes of its text.
    static func < (left: Place, right: Place) -> Bool {
      if left.table != right.table {
        guard let leftTable = left.table else { return true }
        guard let rightTable = right.table else { return false }
        return leftTable.utf8.lexicographicallyPrecedes(rightTable.utf8)
      }
      return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
  }

  /// How often the file was written.
  var changes = 0
  var lines: [Place: [UInt8]] = [:]

  init() {}

  /// - Throws: `dataSerialization` naming the file and the line that cannot be understood.
  init(parsing bytes: [UInt8], path: String) throws(DataSourceError) {
    let decoder = JSONDecoder()
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
        } else {
          let place = try decoder.decode(LinePlace.self, from: Data(line))
          lines[Place(table: place.table, key: place.key)] = Array(line)
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
    for (_, line) in lines.sorted(by: { $0.key < $1.key }) {
      bytes += line
      bytes.append(0x0A)
    }
    return bytes
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
    guard let line = lines[place] else { return nil }
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
    case .set(let place, let line): lines[place] = line
    case .remove(let place): lines[place] = nil
    case .removeAll(let isOurs): lines = lines.filter { !isOurs($0.key) }
    }
  }
}
