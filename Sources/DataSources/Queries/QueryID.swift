#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A type of id for stored objects. The text of an id is the same in every run of the program.
///
/// Integers, strings and UUIDs are ids. An enumeration or a wrapper of such a type becomes an id by
/// declaring conformance:
///
/// ```swift
/// enum Setting: String, QueryID { case theme, keymap }
/// ```
///
/// Ids are stored as text, so the number 5 and the text `"5"` denote the same entry.
public protocol QueryID: Hashable, Sendable {
  /// The text of the id. It must not be a hash value, because hash values differ from run to run.
  var queryKey: String { get }
}

extension String: QueryID {
  public var queryKey: String { self }
}

extension QueryID where Self: BinaryInteger {
  public var queryKey: String { String(self) }
}

extension Int: QueryID {}
extension Int8: QueryID {}
extension Int16: QueryID {}
extension Int32: QueryID {}
extension Int64: QueryID {}
extension UInt: QueryID {}
extension UInt8: QueryID {}
extension UInt16: QueryID {}
extension UInt32: QueryID {}
extension UInt64: QueryID {}

extension UUID: QueryID {
  /// The 36 characters of the UUID, in lower case.
  public var queryKey: String { uuidString.lowercased() }
}

extension QueryID where Self: RawRepresentable, RawValue: QueryID {
  public var queryKey: String { rawValue.queryKey }
}
