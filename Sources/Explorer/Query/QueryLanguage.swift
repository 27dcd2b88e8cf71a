/// The reference of the query language.
///
/// The help of the query editor, `sonde help language` and the manual page use it.
package enum QueryLanguage {
  /// The reference in Markdown, with headings, paragraphs, tables and indented examples.
  ///
  /// A test runs each example.
  ///
  /// - Source: `docs/queries.md`, which is built into the program.
  package static let reference = String(decoding: PackageResources.queries_md, as: UTF8.self)
}
