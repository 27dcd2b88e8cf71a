#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Converts a `From` to a `To`, or throws the reason why it cannot.
///
/// ```swift
/// let number = Mapper<String, Int> { text throws(DataSourceError) in
///   guard let number = Int(text) else { throw .notValid("\(text) is not a number.") }
///   return number
/// }
/// ```
public struct Mapper<From: Sendable, To: Sendable>: Sendable {
  private let body: @Sendable (From) throws(DataSourceError) -> To

  /// Creates a mapper from a closure.
  ///
  /// A closure that throws is written `{ value throws(DataSourceError) in … }`.
  public init(_ body: @escaping @Sendable (From) throws(DataSourceError) -> To) {
    self.body = body
  }

  /// Returns the converted value, or throws the error of the closure.
  public func map(_ value: From) throws(DataSourceError) -> To {
    try body(value)
  }

  /// Maps all of `values`, or throws the error of the first one that cannot be mapped.
  public func mapAll(_ values: [From]) throws(DataSourceError) -> [To] {
    var mapped: [To] = []
    mapped.reserveCapacity(values.count)
    for value in values { mapped.append(try map(value)) }
    return mapped
  }

  /// Returns a mapper that applies this mapper and then `next`.
  public func then<Next: Sendable>(_ next: Mapper<To, Next>) -> Mapper<From, Next> {
    Mapper<From, Next> { value throws(DataSourceError) in try next.map(map(value)) }
  }

  /// A mapper that throws `notImplemented` for every value, for an unused direction.
  public static var unimplemented: Mapper {
    Mapper { _ throws(DataSourceError) in
      throw DataSourceError(
        .notImplemented, "The mapper cannot convert \(From.self) to \(To.self).")
    }
  }

  /// A mapper that casts the value dynamically. It throws `failed` when the value has another type.
  public static var cast: Mapper {
    Mapper { value throws(DataSourceError) in
      guard let cast = value as? To else {
        throw .failed("Cannot convert \(From.self) to \(To.self).")
      }
      return cast
    }
  }
}

extension Mapper where From == To {
  /// A mapper that returns the value unchanged.
  public static var identity: Mapper {
    Mapper { value throws(DataSourceError) in value }
  }
}

extension Mapper where From: Encodable, To == [UInt8] {
  /// A mapper that encodes an object as JSON with sorted keys.
  public static var json: Mapper { .json(.standard) }

  /// Returns a mapper that encodes an object as JSON with the given settings.
  public static func json(_ coding: JSONCoding) -> Mapper {
    Mapper { object throws(DataSourceError) in
      try coding.write(object, "Cannot encode \(From.self) as JSON.")
    }
  }
}

extension Mapper where From == [UInt8], To: Decodable {
  /// A mapper that decodes an object from JSON. The error `dataSerialization` includes the path of
  /// the invalid part.
  public static var json: Mapper { .json(.standard) }

  /// Returns a mapper that decodes an object from JSON with the given settings.
  public static func json(_ coding: JSONCoding) -> Mapper {
    Mapper { bytes throws(DataSourceError) in
      try coding.read(from: bytes, "Cannot decode \(To.self) from JSON.")
    }
  }
}

extension Mapper where From == [UInt8], To == String {
  /// A mapper that encodes bytes as hexadecimal digits in lower case, two for each byte.
  public static var hex: Mapper {
    Mapper { bytes throws(DataSourceError) in
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  /// A mapper that encodes bytes as padded Base64, as defined in RFC 4648 §4.
  public static var base64: Mapper {
    Mapper { bytes throws(DataSourceError) in Data(bytes).base64EncodedString() }
  }
}

extension Mapper where From == String, To == [UInt8] {
  /// A mapper that decodes hexadecimal digits in upper or lower case.
  public static var hex: Mapper {
    Mapper { text throws(DataSourceError) in
      let digits = Array(text.utf8)
      var bytes: [UInt8] = []
      for start in stride(from: 0, to: digits.count, by: 2) {
        let pair = String(decoding: digits[start..<min(start + 2, digits.count)], as: UTF8.self)
        guard pair.utf8.count == 2, pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16)
        else {
          throw .dataSerialization("\"\(pair)\" is not a byte of two hexadecimal digits.")
        }
        bytes.append(byte)
      }
      return bytes
    }
  }

  /// A mapper that decodes padded Base64.
  public static var base64: Mapper {
    Mapper { text throws(DataSourceError) in
      guard let data = Data(base64Encoded: text) else {
        throw .dataSerialization("The text is not valid Base64.")
      }
      return Array(data)
    }
  }
}
