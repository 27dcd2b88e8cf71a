public import DataSources
public import Triples

/// The complete content of a store, for an export or a copy.
public struct WholeStore: Sendable {
  /// The data.
  public var store: TripleStore
  /// The additional files of a backup.
  public var attachments: StoreAttachments
  /// The time at which the data was valid, in milliseconds since 1970; nil for the current time.
  public var asOf: Int64?
  /// Sentences for the user about content that is missing.
  public var remarks: [String]
  /// The remarks about content that could not be read.
  public var unreadable: [String] = []
  /// For each database column of JSON, the rows with a string that looks like a list or object.
  ///
  /// A list or object whose numbers no double represents exactly is read as such a string, too.
  package var jsonStrings: [AttributeID: Set<EntityHandle>] = [:]

  /// Creates a whole store; see the properties.
  public init(
    _ store: TripleStore, attachments: StoreAttachments = StoreAttachments(), asOf: Int64? = nil,
    remarks: [String] = []
  ) {
    self.store = store
    self.attachments = attachments
    self.asOf = asOf
    self.remarks = remarks
  }

  /// Creates the content from a snapshot that contains all data, with remarks about how current it
  /// is.
  public init(_ snapshot: StoreSnapshot, attachments: StoreAttachments = StoreAttachments()) {
    self.init(snapshot.store, attachments: attachments)
    switch snapshot.freshness {
    case .live, .optimistic, .connecting: break
    case .loading: remarks = ["Only the beginning of the data was loaded."]
    case .archived(let since): asOf = since
    case .stale(let reason), .offline(_, _, let reason):
      remarks = ["The data may be out of date: \(reason)."]
    }
  }
}

/// Files that a store keeps next to its triples, keyed by the name of their entry in a backup.
public struct StoreAttachments: Sendable {
  private var byName: [String: StoreAttachment] = [:]

  /// Creates a collection of attachments. If several attachments have the same name, the last one
  /// is used.
  public init(_ attachments: some Sequence<StoreAttachment> = []) {
    for attachment in attachments { insert(attachment) }
  }

  /// Whether there are no attachments.
  public var isEmpty: Bool { byName.isEmpty }

  /// All attachments, sorted by name.
  public var all: [StoreAttachment] {
    byName.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The attachment with this name; nil when there is none.
  public subscript(name: String) -> StoreAttachment? { byName[name] }

  /// Adds an attachment. It replaces an attachment of the same name.
  public mutating func insert(_ attachment: StoreAttachment) {
    byName[attachment.name] = attachment
  }
}

/// A file that a store keeps next to its triples. Its bytes are read on demand.
public struct StoreAttachment: Sendable {
  /// A function that receives the bytes in consecutive parts.
  public typealias Receiver = ([UInt8]) throws(DataSourceError) -> Void

  /// The name, which is unique within a store.
  public let name: String
  /// The size in bytes.
  public let size: Int
  private let reader: @Sendable (Receiver) throws(DataSourceError) -> Void

  /// Creates an attachment whose bytes are read on demand.
  /// - Parameter reader: Reads the bytes, from the beginning each time it is called.
  public init(
    name: String, size: Int,
    reader: @escaping @Sendable (Receiver) throws(DataSourceError) -> Void
  ) {
    self.name = name
    self.size = size
    self.reader = reader
  }

  /// Creates an attachment with its bytes in memory.
  public init(name: String, bytes: [UInt8]) {
    self.init(name: name, size: bytes.count) { receive throws(DataSourceError) in
      try receive(bytes)
    }
  }

  /// Returns a copy with another name.
  public func named(_ name: String) -> StoreAttachment {
    StoreAttachment(name: name, size: size, reader: reader)
  }

  /// Passes the bytes to `receive` in parts, so that a large file does not need to fit into memory.
  public func read(_ receive: Receiver) throws(DataSourceError) { try reader(receive) }

  /// Reads all bytes into memory.
  public func bytes() throws(DataSourceError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    try reader { part throws(DataSourceError) in bytes += part }
    return bytes
  }
}
