public import Triples

extension QueryDocument {
  /// Parses InstaQL JSON.
  /// - Throws: `QueryError.json` for invalid JSON, `.invalid` with the path of an invalid part.
  public init(json text: String, reading: InstaQLReading = .strict) throws(QueryError) {
    try self.init(json: Array(text.utf8), reading: reading)
  }

  /// Parses InstaQL JSON from bytes.
  /// - Throws: `QueryError.json` for invalid JSON, `.invalid` with the path of an invalid part.
  public init(json bytes: [UInt8], reading: InstaQLReading = .strict) throws(QueryError) {
    try self.init(instaQL: InstaQLReader.value(ofJSON: bytes, reading: reading), reading: reading)
  }

  /// Parses an InstaQL object.
  /// - Throws: `QueryError.invalid` with the path of an invalid part.
  public init(instaQL query: Value, reading: InstaQLReading = .strict) throws(QueryError) {
    self = try InstaQLReader(reading: reading).document(query)
  }

  /// Returns the query as InstaQL, the form that servers accept.
  /// - Throws: `QueryError.notExpressible` when InstaQL cannot express the query.
  public func instaQL() throws(QueryError) -> Value {
    try InstaQLWriter(form: .wire).document(self)
  }

  /// Returns the query as InstaQL JSON with sorted keys, the form that servers accept.
  /// - Throws: `QueryError.notExpressible` when InstaQL cannot express the query.
  public func wireJSON() throws(QueryError) -> String {
    InstaQLWriter.text(of: try instaQL())
  }

  /// The query in the form in which it is saved: InstaQL, with additional keys that begin with
  /// `x-`.
  public var localForm: Value {
    do throws(QueryError) {
      return try InstaQLWriter(form: .local).document(self)
    } catch {
      preconditionFailure("The local form must be able to express every query: \(error.message)")
    }
  }

  /// The saved form as JSON with sorted keys. Equal documents have equal text, so the text is the
  /// key of subscriptions and saved queries.
  public var canonicalJSON: String { InstaQLWriter.text(of: localForm) }
}

extension QueryPlan {
  /// Returns the plan as InstaQL, the form that servers accept.
  /// - Throws: `QueryError.notExpressible` when InstaQL cannot express the plan.
  public func instaQL() throws(QueryError) -> Value { try QueryDocument(self).instaQL() }

  /// Parses an InstaQL object with a single namespace.
  /// - Throws: `QueryError.invalid` with the path of an invalid part.
  public init(instaQL query: Value, reading: InstaQLReading = .strict) throws(QueryError) {
    let document = try QueryDocument(instaQL: query, reading: reading)
    guard document.plans.count == 1 else {
      throw .invalid(
        path: "", reason: "The query must have one namespace, not \(document.plans.count).")
    }
    self = document.plans[0]
  }
}
