public import DataSources
public import InstaQL
public import Triples

/// What a query manager asks of a store, and the plug that every store fits.
///
/// A store is a data source of snapshots. `get` and `watch` take the `QueryDocument` that shall be
/// answered, so that a store elsewhere can fetch just what it needs, or `AllObjectsQuery` for the
/// schema and whatever is at hand.
public protocol StoreDataSource: QueryStore, PutDataSource<StoreSnapshot> {}
