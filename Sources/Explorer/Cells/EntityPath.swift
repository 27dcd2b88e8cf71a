import Triples

/// The path to a line of the table: the row's entity, then one nested entity per nesting level.
typealias EntityPath = [EntityID]

/// The relations expanded below entities, in the order in which they were expanded.
typealias ExpandedLinks = [EntityPath: [Link]]
