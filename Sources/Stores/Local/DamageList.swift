/// The damage of a store: the first findings and the total number of damaged items.
package struct DamageList: Sendable, Hashable {
  package struct Finding: Sendable, Hashable {
    package var entity: String?
    /// The namespace and label, such as `tasks.title`.
    package var attribute: String?
    /// The description of the damage, as a sentence without a period at the end.
    package var fault: String

    package init(entity: String? = nil, attribute: String? = nil, fault: String) {
      (self.entity, self.attribute, self.fault) = (entity, attribute, fault)
    }

    /// The finding as a line: `tasks.title of ID: The triple does not match its checksum`.
    package var line: String {
      switch (attribute, entity) {
      case (let attribute?, let entity?): "\(attribute) of \(entity): \(fault)"
      case (let place?, nil), (nil, let place?): "\(place): \(fault)"
      case (nil, nil): fault
      }
    }
  }

  /// The maximum number of findings listed; further findings are only counted.
  package static let maxFindings = 20

  package private(set) var findings: [Finding] = []
  /// The total number of damaged items.
  package private(set) var count = 0

  package init() {}

  /// Adds a finding.
  ///
  /// - Parameter count: The number of damaged items.
  package mutating func add(_ finding: Finding, count: Int = 1) {
    self.count += count
    if findings.count < Self.maxFindings { findings.append(finding) }
  }

  package mutating func add(_ other: DamageList) {
    count += other.count
    findings += other.findings.prefix(Self.maxFindings - findings.count)
  }

  /// The first finding as a line, with the total number of damaged items. Nil if nothing is
  /// damaged.
  package var summary: String? {
    findings.first.map { count > 1 ? "\($0.line); \(count) in all" : $0.line }
  }
}
