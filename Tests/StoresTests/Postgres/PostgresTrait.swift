import PostgresTestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// The tests run where a PostgreSQL server can be started, and say why where none can.
  static var withPostgres: Self {
    .enabled(if: PostgresServer.obstacle == nil, "\(PostgresServer.obstacle ?? "")")
  }
}
