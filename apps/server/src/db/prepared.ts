import type { Db } from './connect.ts'

/**
 * A query whose SQL is built once per database or transaction and planned once per connection, for
 * hot queries whose SQL costs more to build than to run. `name` is unique per connection.
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
