#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The settings for encoding objects as JSON and decoding them.
///
/// By default, keys are sorted and dates are seconds since 2001, as `JSONEncoder` writes them. A
/// closure can change the settings for both directions:
///
/// ```swift
/// let coding = JSONCoding { encoder, decoder in
///   encoder.dateEncodingStrategy = .iso8601
///   decoder.dateDecodingStrategy = .iso8601
/// }
/// ```
public struct JSONCoding: Sendable {
  private let configure: (@Sendable (JSONEncoder, JSONDecoder) -> Void)?

  /// Creates settings for an encoder and a decoder.
  /// - Parameter configure: A closure that changes the settings of both. It is called with a new
  ///   encoder and a new decoder before each use of either.
  public init(_ configure: @escaping @Sendable (JSONEncoder, JSONDecoder) -> Void) {
    self.configure = configure
  }

  private init() { configure = nil }

  /// The settings of `JSONEncoder` and `JSONDecoder`, with sorted keys.
  public static let standard = JSONCoding()

  private var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    configure?(encoder, JSONDecoder())
    return encoder
  }

  var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    configure?(JSONEncoder(), decoder)
    return decoder
  }

  /// Returns `object` encoded as JSON.
  /// - Parameter failure: The message of the error when encoding fails.
  package func write(
    _ object: some Encodable, _ failure: @autoclosure () -> String
  ) throws(DataSourceError) -> [UInt8] {
    do {
      return Array(try encoder.encode(object))
    } catch {
      throw DataSourceError(wrapping: error, failure())
    }
  }

  package func read<Object: Decodable>(
    _ type: Object.Type = Object.self, from bytes: [UInt8], _ failure: @autoclosure () -> String
  ) throws(DataSourceError) -> Object {
    do {
      return try decoder.decode(type, from: Data(bytes))
    } catch {
      throw DataSourceError(wrapping: error, failure())
    }
  }
}
