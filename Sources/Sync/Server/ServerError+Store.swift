import DataSources
import Triples

extension ServerError {
  /// Converts an error of a store to the form that clients receive.
  init(_ error: DataSourceError, original: Value?) {
    let hint = error.hint.flatMap { text in
      // If the hint is not JSON, it is sent as text.
      (try? JSONReader.value(of: text)) ?? .text(text)
    }
    switch error.code {
    case .refused("read-only"):
      self.init(
        type: "app-read-only", error.message, hint: hint ?? ["status": "read-only"],
        original: original)
    case .refused(let type):
      self.init(type: type, error.message, hint: hint, original: original)
    case .unsupportedQuery, .unsupportedOperation, .notImplemented:
      self = .readOnly(original)
    case .notFound, .illegalArgument, .notValid:
      self.init(type: "validation-failed", error.message, hint: hint, original: original)
    case .dataSerialization, .network, .untrusted, .system, .secretStore, .cancelled, .failed:
      self.init(status: 500, type: nil, error.description, hint: hint, original: original)
    }
  }
}
