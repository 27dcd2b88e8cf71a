public import DataSources

/// A document is what a store is asked; its canonical text is its key wherever answers are kept.
extension QueryDocument: KeyQuery {
  public var key: String { canonicalJSON }
}
