public import Triples

extension QueryDocument {
  /// Reads InstaQL JSON.
  /// - Throws: `QueryError.json` when it is no JSON, `.invalid` with the path of what cannot be read.
  public init(json text: String, reading: InstaQLReading = .strict) throws(QueryError) {
    try self.init(json: Array(text.utf8), reading: reading)
  }

  /// Reads InstaQL JSON from its bytes.
  /// - Throws: `QueryError.json` when it is no JSON, `.invalid` with the path of what cannot be read.
  public init(json bytes: [UInt8], reading: InstaQLReading = .strict) throws(QueryError) {
    try self.init(instaQL: InstaQLReader.value(ofJSON: bytes, reading: reading), reading: reading)
  }

  /// Reads an InstaQL object.
  /// - Throws: `QueryError.invalid` with the path of what cannot be read.
  public init(instaQL query: Value, reading: InstaQLReading = .strict) throws(QueryError) {
    self = try InstaQLReader(reading: reading).document(query)
  }

  /// The query as a server understands it.
  /// - Throws: `QueryError.notExpressible` when InstaQL has no words for it.
  public func instaQL() throws(QueryError) -> Value {
    try InstaQLWriter(form: .wire).document(self)
  }

  /// The query as a server understands it, keys sorted: what is sent.
  /// - Throws: `QueryError.notExpressible` when InstaQL has no words for it.
  public func wireJSON() throws(QueryError) -> String {
    InstaQLWriter.text(of: try instaQL())
  }

  /// The form in which any query is kept: InstaQL, and keys beginning with `x-` for what it cannot say.
  public var localForm: Value {
    do throws(QueryError) {
      return try InstaQLWriter(form: .local).document(self)
    } catch {
      preconditionFailure("the local form says everything: \(error.message)")
    }
  }

  /// The local form as JSON with sorted keys: equal documents have equal bytes, so it is the key of a
  /// subscription and what is saved.
  public var canonicalJSON: String { InstaQLWriter.text(of: localForm) }
}

extension QueryPlan {
  /// The query of this plan alone, as a server understands it.
  /// - Throws: `QueryError.notExpressible` when InstaQL has no words for it.
  public func instaQL() throws(QueryError) -> Value { try QueryDocument(self).instaQL() }

  /// Reads the InstaQL object of a single namespace.
  /// - Throws: `QueryError.invalid` with the path of what cannot be read.
  public init(instaQL query: Value, reading: InstaQLReading = .strict) throws(QueryError) {
    let document = try QueryDocument(instaQL: query, reading: reading)
    guard document.plans.count == 1 else {
      throw .invalid(path: "", reason: "One namespace was wanted, not \(document.plans.count)")
    }
    self = document.plans[0]
  }
}
