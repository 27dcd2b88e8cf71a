public import Triples

extension Transaction {
  /// What brings all that another store holds into this one.
  ///
  /// Attributes that both have by name are the same; others come along, under an id of their own
  /// when theirs is taken. Entities keep their ids: one that both have gets the values of the other
  /// store over its own. Triples that come keep their moments.
  ///
  /// - Throws: ``ImportError`` when both have an attribute of one name and of different kinds.
  /// - Complexity: O(triples of `other`).
  public init(
    importing other: TripleStore, into store: TripleStore
  ) throws(ImportError) {
    self.init()
    var pairs: [(theirs: Attribute, ours: AttributeID)] = []
    for theirs in other.schema.attributes {
      if let known = store.schema.attribute(theirs.namespace, theirs.label) {
        guard known.valueType == theirs.valueType, known.cardinality == theirs.cardinality else {
          throw ImportError(name: "\(theirs.namespace).\(theirs.label)")
        }
        pairs.append((theirs, known.id))
      } else {
        var added = theirs
        if store.attributeOrHidden(theirs.id) != nil { added.id = AttributeID(.random()) }
        steps.append(.addAttribute(added))
        pairs.append((theirs, added.id))
      }
    }
    for (theirs, ours) in pairs {
      for entity in other.rows(theirs.id, .stored).handles {
        let reference = EntityReference.id(other.id(of: entity))
        for (value, time) in zip(
          other.values(entity, theirs.id), other.createdTimes(entity, theirs.id))
        {
          moments[steps.count] = time
          steps.append(.addTriple(reference, ours, value))
        }
      }
    }
  }
}

/// Two stores have an attribute of the same name and of different kinds.
public struct ImportError: Error, Hashable, Sendable {
  /// Namespace and label.
  public let name: String

  /// One sentence: what, and what to do next.
  public var message: String {
    "\(name) is a link or a list in one of the two stores and not in the other: rename it first."
  }
}

extension AttributeID {
  fileprivate init(_ id: EntityID) { self.init(id.text) }
}
