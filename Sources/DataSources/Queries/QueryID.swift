#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An id of stored objects, with a text that is the same in every run.
///
/// Integers, strings and UUIDs are ids. An enumeration or a wrapper of one becomes an id by
/// conformance alone:
///
/// ```swift
/// enum Setting: String, QueryID { case theme, keymap }
/// ```
///
/// The number 5 and the text `"5"` are the same entry, because ids are stored as text.
public protocol QueryID: Hashable, Sendable {
  /// The id's text. Never a hash value, which differs from run to run.
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
  /// The UUID's 36 characters in lower case.
  public var queryKey: String { uuidString.lowercased() }
}

extension QueryID where Self: RawRepresentable, RawValue: QueryID {
  public var queryKey: String { rawValue.queryKey }
}
