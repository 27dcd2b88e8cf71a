public import DataSources

/// Lets stores and caches accept a document as a query, with its canonical JSON as the key.
extension QueryDocument: KeyQuery {
  public var key: String { canonicalJSON }
}
