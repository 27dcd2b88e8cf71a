/// Where the engine differs from the reference on purpose: the recommendations of the specification
/// for a shared engine. Each case is listed, so that no other difference can hide here.
package enum KnownDifferences {
  package struct Difference {
    package let reason: String
    /// The file and the case.
    package let cases: [String]
  }

  package static let all: [Difference] = [
    Difference(
      reason: "a null is in no order; there it counts as 0",
      cases: [
        "edge-date-objects date-compare-004", "edge-date-objects date-compare-006",
        "edge-date-objects date-compare-008", "edge-date-objects date-compare-010",
        "edge-date-objects date-compare-018", "edge-date-objects date-compare-019",
        "edge-date-objects date-compare-020", "edge-date-objects date-literal-028",
        "edge-plain boolean-014", "edge-plain date-compare-126", "edge-plain date-compare-127",
        "edge-plain date-compare-128", "edge-plain date-compare-129",
        "edge-plain date-compare-131", "edge-plain date-compare-132",
        "edge-plain date-compare-134", "edge-plain date-compare-136",
        "edge-plain date-compare-138", "edge-plain date-compare-139",
        "edge-plain date-compare-140", "edge-plain date-literal-147", "edge-plain multi-op-004",
        "edge-plain null-vs-missing-006", "edge-plain null-vs-missing-007",
        "edge-plain null-vs-missing-008", "edge-plain null-vs-missing-013",
        "edge-plain untyped-026", "edge-plain untyped-028", "edge-plain untyped-029",
        "edge-plain untyped-031", "edge-schema date-compare-074", "edge-schema date-compare-075",
        "edge-schema date-compare-077", "edge-schema date-compare-079",
        "edge-schema date-compare-082", "edge-schema date-compare-083",
        "edge-schema null-vs-missing-006", "edge-schema string-compare-062",
        "edge-schema untyped-019", "edge-schema untyped-021", "example-02 q28", "example-06 q01",
        "example-06 q02", "example-06 q23",
      ]),
    Difference(
      reason: "lists have no order; there they are compared as texts",
      cases: [
        "edge-plain untyped-027", "edge-plain untyped-030", "edge-plain untyped-032",
        "edge-schema untyped-020", "edge-schema untyped-022",
      ]),
    Difference(
      reason: "`_` is one character, not half of one beyond U+FFFF",
      cases: [
        "edge-plain ilike-043", "edge-plain like-036", "edge-plain like-037",
        "edge-plain like-042",
      ]),
    Difference(
      reason: "a backslash escapes",
      cases: [
        "edge-schema like-030"
      ]),
    Difference(
      reason: "dates are compared as instants; there as what was written",
      cases: [
        "edge-date-objects date-eq-023", "edge-date-objects date-eq-024",
        "edge-date-objects date-eq-026", "edge-plain date-eq-143", "edge-plain date-eq-144",
      ]),
    Difference(
      reason: "inside lists, and for what may be missing, paths are independent",
      cases: [
        "edge-plain shared-path-158", "edge-plain shared-variable-187",
        "edge-plain shared-variable-188", "edge-schema shared-path-097",
        "edge-schema shared-variable-126", "edge-schema shared-variable-127",
      ]),
    Difference(
      reason: "reverse links take every operator",
      cases: [
        "edge-plain link-reverse-value-216", "edge-plain link-reverse-value-217",
        "edge-plain link-reverse-value-219", "edge-schema link-reverse-value-145",
      ]),
    Difference(
      reason: "a limit below 1 is refused",
      cases: [
        "edge-plain paging-no-info-226"
      ]),
  ]

  package static func cases(of file: String) -> Set<String> {
    Set(
      all.flatMap(\.cases).filter { $0.hasPrefix(file + " ") }.map {
        String($0.dropFirst(file.count + 1))
      })
  }
}
