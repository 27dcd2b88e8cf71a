import InstaQL
import LiveQueries
import Triples

// Loads the rows of a long answer that the screen has not loaded, for counting and exporting.
extension QueryManager {
  /// Returns the answer with all rows of its page, including those that are not loaded.
  ///
  /// - Parameter fields: The attributes to load; nil loads the attributes that the query selects.
  nonisolated func completed(
    _ answer: Answer, fields: [String]? = nil
  ) async throws(LiveFailure) -> Answer {
    guard answer.window != nil else { return answer }
    return try await completion(
      of: fields.map { answer.plan.removing(.relations).fields($0) } ?? answer.plan
    ).answer
  }

  /// Counts the values of a column in all rows of an answer's page, if possible in the store
  /// itself.
  nonisolated func facets(
    _ attribute: Attribute, of answer: Answer, along dates: Attribute?
  ) async throws(LiveFailure) -> Facets {
    guard answer.window != nil else {
      return await Self.concurrently { Facets(attribute, of: answer, along: dates) }
    }
    let query = ValueCountsQuery(plan: answer.plan, attribute: attribute, along: dates)
    if let tally = try await snapshot(for: query).served?.valueCounts {
      return Facets(attribute, tally)
    }
    let labels = [attribute.label] + (dates.map { [$0.label] } ?? [])
    let whole = try await completed(answer, fields: labels)
    return await Self.concurrently { Facets(attribute, of: whole, along: dates) }
  }

  /// Returns the export with everything that it must write: all rows, or the whole store.
  nonisolated func completed(_ order: ExportOrder) async throws(LiveFailure) -> ExportOrder {
    if order.form.isStore {
      var whole = order
      whole.whole = try await wholeStore()
      return whole
    }
    return try await includingBlobs(try await gathered(order))
  }

  /// Returns the export with an answer that contains all rows to write, and all of their links.
  private nonisolated func gathered(_ order: ExportOrder) async throws(LiveFailure) -> ExportOrder {
    guard let served = order.snapshot.served else { return order }
    let links = order.linksBeside
    let plan =
      switch order.rows {
      case .marked(let ids): order.plan(of: ids)
      case .shown: order.answer.plan
      case .all: order.answer.plan.removing(.page)
      }
    guard served.canGiveAll else {
      // Without an answer of the server, the file contains the links that the screen has loaded.
      guard !links.isEmpty,
        let (_, snapshot) = try? await completion(
          of: order.catalog.nesting(plan, along: links, isLimited: false)),
        !snapshot.isUnanswered
      else { return order }
      return order.linking(to: snapshot, isLimited: false)
    }
    if order.rows != .all, links.isEmpty, order.answer.window == nil, served.cutLinks.isEmpty {
      return order
    }
    let (answer, snapshot, isLimited) = try await completion(
      of: plan, along: links, in: order.catalog)
    do throws(QueryError) {
      let own = try QueryEngine.prepare(plan, snapshot.store.schema)
      return order.replacingAnswer(with: Answer(answer, as: own), in: snapshot)
        .linking(to: snapshot, isLimited: isLimited)
    } catch {
      throw LiveFailure(error)
    }
  }

  /// Returns all rows of a plan's page with their links. If there are more linked rows than the
  /// store reads at once, each link has only as many targets as on the screen.
  private nonisolated func completion(
    of plan: QueryPlan, along links: [Link], in catalog: Catalog
  ) async throws(LiveFailure) -> (answer: Answer, snapshot: StoreSnapshot, isLimited: Bool) {
    do throws(LiveFailure) {
      let (answer, snapshot) = try await completion(
        of: catalog.nesting(plan, along: links, isLimited: false))
      return (answer, snapshot, false)
    } catch {
      if links.isEmpty || Task.isCancelled { throw error }
      let (answer, snapshot) = try await completion(of: catalog.nesting(plan, along: links))
      return (answer, snapshot, true)
    }
  }

  /// Returns all rows of a plan's page, and the snapshot that contains them.
  nonisolated func completion(
    of plan: QueryPlan
  ) async throws(LiveFailure) -> (answer: Answer, snapshot: StoreSnapshot) {
    let snapshot = try await snapshot(for: QueryDocument(plan))
    do throws(QueryError) {
      return (try QueryEngine.answer(plan, in: snapshot), snapshot)
    } catch {
      throw LiveFailure(error)
    }
  }
}

extension ExportOrder {
  fileprivate func plan(of ids: [EntityID]) -> QueryPlan {
    let all = answer.plan.removing(.page, .filter)
    return all.filter(snapshot.store.schema.condition(matching: ids, in: all.namespace))
  }

  /// Returns the export with `answer`, all of whose rows are written.
  fileprivate func replacingAnswer(with answer: Answer, in snapshot: StoreSnapshot) -> ExportOrder {
    var order = self
    order.rows = .shown
    (order.answer, order.snapshot) = (answer, snapshot)
    return order
  }

  /// Returns the export with the links in a snapshot.
  fileprivate func linking(to snapshot: StoreSnapshot, isLimited: Bool) -> ExportOrder {
    var order = self
    (order.linked, order.linksAreLimited) = (snapshot, isLimited)
    return order
  }
}
