import Triples

/// Parses groups and aggregates (`x-group`, `x-aggregates`), which only local stores can answer.
extension InstaQLReader {
  func paths(_ value: Value, at path: String) throws(QueryError) -> [AttributePath] {
    guard case .array(let elements) = value else {
      throw .invalid(path: path, reason: "the value must be a list of paths")
    }
    var paths: [AttributePath] = []
    for element in elements {
      guard case .text(let dotted) = element else {
        throw .invalid(path: path, reason: "the value must be a list of paths")
      }
      paths.append(try self.path(dotted, at: path))
    }
    return paths
  }

  /// Parses computed columns: an object that has the text of an expression under each column's
  /// name.
  func computed(_ value: Value, at path: String) throws(QueryError) -> [AttributePath] {
    guard case .object(let object) = value, object.pairs.count <= TextParser.maxComputed else {
      throw .invalid(
        path: path,
        reason:
          "the value must be an object of at most \(TextParser.maxComputed) names and their expressions"
      )
    }
    var columns: [AttributePath] = []
    for (name, value) in object.pairs {
      guard case .text(let text) = value else {
        throw .invalid(
          path: path + "." + name, reason: "the value must be an expression, written as a string")
      }
      do throws(QueryError) {
        columns.append(AttributePath(column: name, computing: try ValueExpression(parsing: text)))
      } catch {
        throw .invalid(path: path + "." + name, reason: error.message)
      }
    }
    return columns
  }

  func aggregates(_ value: Value, at path: String) throws(QueryError) -> [Aggregation] {
    guard case .array(let elements) = value else {
      throw .invalid(path: path, reason: "the value must be a list of objects")
    }
    var aggregates: [Aggregation] = []
    for element in elements { aggregates.append(try aggregate(element, at: path)) }
    return aggregates
  }

  private func aggregate(_ value: Value, at path: String) throws(QueryError) -> Aggregation {
    guard case .object(let object) = value else {
      throw .invalid(path: path, reason: "the value must be a list of objects")
    }
    var (function, field, name): (Aggregation.Function?, AttributePath?, String?)
    for (key, value) in object.pairs {
      guard case .text(let text) = value else {
        throw .invalid(path: path + "." + key, reason: "the value must be a string")
      }
      switch key {
      case "function": function = Aggregation.Function(rawValue: text)
      case "path": field = try self.path(text, at: path)
      case "name": name = text
      default:
        throw .invalid(
          path: path + "." + key,
          reason: "'\(key)' is not a key of an aggregate; use function, path or name")
      }
    }
    guard let function else {
      let known = Aggregation.Function.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalid(path: path + ".function", reason: "the value must be one of \(known)")
    }
    return Aggregation(function, field, name: name)
  }
}
