public import DataSources
public import Triples

/// Everything that a store holds, for an export or a copy: never a part of it.
public struct WholeStore: Sendable {
  public var store: TripleStore
  /// What a backup holds beside its entities.
  public var attachments: StoreAttachments
  /// The moment that the data describes, in milliseconds since 1970; nil for the present.
  public var asOf: Int64?
  /// What of the source is not in it, in sentences for the user.
  public var remarks: [String]

  public init(
    _ store: TripleStore, attachments: StoreAttachments = StoreAttachments(), asOf: Int64? = nil,
    remarks: [String] = []
  ) {
    self.store = store
    self.attachments = attachments
    self.asOf = asOf
    self.remarks = remarks
  }

  /// All of a snapshot that holds everything, with what its freshness says of it.
  public init(_ snapshot: StoreSnapshot, attachments: StoreAttachments = StoreAttachments()) {
    self.init(snapshot.store, attachments: attachments)
    switch snapshot.freshness {
    case .live, .optimistic, .connecting: break
    case .archived(let since): asOf = since
    case .stale(let reason), .offline(_, _, let reason):
      remarks = ["The data is what was last read: \(reason)."]
    }
  }
}

/// Files that a store keeps beside its triples, by name. Names are those of the entries of a backup.
public struct StoreAttachments: Sendable {
  private var byName: [String: StoreAttachment] = [:]

  public init(_ attachments: some Sequence<StoreAttachment> = []) {
    for attachment in attachments { insert(attachment) }
  }

  public var isEmpty: Bool { byName.isEmpty }

  /// All attachments, sorted by name.
  public var all: [StoreAttachment] {
    byName.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  public subscript(name: String) -> StoreAttachment? { byName[name] }

  /// Adds an attachment; one of the same name is replaced.
  public mutating func insert(_ attachment: StoreAttachment) {
    byName[attachment.name] = attachment
  }
}

/// A file that a store keeps beside its triples. Its bytes are read when they are asked for.
public struct StoreAttachment: Sendable {
  /// Receives the bytes, one part after the other.
  public typealias Receiver = ([UInt8]) throws(DataSourceError) -> Void

  public let name: String
  /// In bytes.
  public let size: Int
  private let reader: @Sendable (Receiver) throws(DataSourceError) -> Void

  /// - Parameter reader: Reads the bytes from the beginning, each time that it is called.
  public init(
    name: String, size: Int,
    reader: @escaping @Sendable (Receiver) throws(DataSourceError) -> Void
  ) {
    self.name = name
    self.size = size
    self.reader = reader
  }

  /// An attachment whose bytes are in memory.
  public init(name: String, bytes: [UInt8]) {
    self.init(name: name, size: bytes.count) { receive throws(DataSourceError) in
      try receive(bytes)
    }
  }

  /// The same under another name.
  public func named(_ name: String) -> StoreAttachment {
    StoreAttachment(name: name, size: size, reader: reader)
  }

  /// Hands over the bytes in parts, so that a large one need not fit into memory.
  public func read(_ receive: Receiver) throws(DataSourceError) { try reader(receive) }

  /// All bytes at once.
  public func bytes() throws(DataSourceError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    try reader { part throws(DataSourceError) in bytes += part }
    return bytes
  }
}
