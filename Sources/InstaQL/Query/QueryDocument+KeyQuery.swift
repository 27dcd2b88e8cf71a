public import DataSources

/// A document is the query for a store. Its canonical text is the key of cached answers.
extension QueryDocument: KeyQuery {
  public var key: String { canonicalJSON }
}
