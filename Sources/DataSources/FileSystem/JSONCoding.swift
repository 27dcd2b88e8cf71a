#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encodes and decodes objects as JSON bytes with `DataSourceError`.
package enum JSONCoding {
  /// Encodes `object`.
  /// - Parameter failure: The message of the error when encoding fails.
  package static func write(
    _ object: some Encodable, _ failure: @autoclosure () -> String
  ) throws(DataSourceError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(object))
    } catch {
      throw DataSourceError(wrapping: error, failure())
    }
  }

  package static func read<Object: Decodable>(
    _ type: Object.Type = Object.self, from bytes: [UInt8], _ failure: @autoclosure () -> String
  ) throws(DataSourceError) -> Object {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw DataSourceError(wrapping: error, failure())
    }
  }
}
