public import DataSources

/// Lets stores and caches accept a document as a query. Its key is the canonical JSON.
extension QueryDocument: KeyQuery {
  public var key: String { canonicalJSON }
}
