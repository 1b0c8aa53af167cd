import type { Db } from './connect.ts'

/**
 * A query that is written once for each database or transaction, and planned once on each connection: for
 * what is asked so often that writing its SQL anew costs more than its answer. `name` is its own on every
 * connection.
 */
export function prepared<Query extends object>(
  name: string,
  write: (db: Db) => { prepare(name: string): Query },
): (db: Db) => Query {
  const queries = new WeakMap<Db, Query>()
  return (db) => {
    const query = queries.get(db) ?? write(db).prepare(name)
    queries.set(db, query)
    return query
  }
}
