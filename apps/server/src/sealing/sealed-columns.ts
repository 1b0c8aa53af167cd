import { and, asc, eq, getTableColumns, gt, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database, Tx } from '../db/connect.ts'
import type { Sealing } from './sealing.ts'

/** A column of sealed values. A module exports its own from `<domain>.sealed.ts`. */
export type SealedColumn = {
  name: string
  /** Seals the value of a row. */
  seal(sealing: Sealing, id: string, plaintext: string | Buffer): string
  /** The value of a row; `plain` is the value of an older version. Throws when both are null. */
  open(sealing: Sealing, id: string, sealed: string | null, plain?: string | Buffer | null): Buffer
  /** Seals the values that an older version stored, in batches; returns how many. */
  sealPlain(db: Database['db'], sealing: Sealing): Promise<number>
  /** Seals every value with the current key, in batches; returns how many. */
  reseal(db: Database['db'], sealing: Sealing): Promise<number>
}

/** Rows of one transaction: few, so that their locks delay no call noticeably. */
const batchSize = 200

type Row = { id: string; value: unknown }

/**
 * Declares a column of sealed values, by its properties in the table. `name` is a part of every
 * sealed value and never changes. `plain` contains the values of an older version.
 */
export function sealedColumn<Table extends PgTable, Property extends keyof Table['_']['columns']>(
  name: string,
  table: Table,
  properties: { id: Property; sealed: Property; plain?: Property },
  toPlaintext: (value: unknown) => string | Buffer = (value) => value as string | Buffer,
): SealedColumn {
  const columns = getTableColumns(table) as unknown as Record<Property, PgColumn>
  const id = columns[properties.id]
  const sealed = columns[properties.sealed]
  const contextOf = (row: string) => `${name} ${row}`

  const seal: SealedColumn['seal'] = (sealing, row, plaintext) =>
    sealing.seal(contextOf(row), plaintext)

  /** Rewrites a batch of rows with `change`, and returns their ids. */
  async function rewrite(
    tx: Tx,
    value: PgColumn,
    condition: SQL | undefined,
    change: (row: Row) => Partial<Record<Property, unknown>>,
  ): Promise<string[]> {
    const rows = (await tx
      .select({ id, value })
      .from(table as PgTable)
      .where(condition)
      .orderBy(asc(id))
      .limit(batchSize)
      .for('update')) as Row[]
    for (const row of rows)
      await tx
        .update(table)
        .set(change(row) as never)
        .where(eq(id, row.id))
    return rows.map((row) => row.id)
  }

  return {
    name,
    seal,
    open(sealing, row, stored, plain = null) {
      if (stored !== null) return sealing.open(contextOf(row), stored)
      if (plain === null) throw new Error(`${contextOf(row)} has no value`)
      return Buffer.from(plain)
    },

    async sealPlain(db, sealing) {
      const plain = properties.plain
      if (plain === undefined) return 0
      for (let total = 0; ; ) {
        const batch = await db.transaction((tx) =>
          rewrite(
            tx,
            columns[plain],
            isNotNull(columns[plain]),
            (row) =>
              ({
                [properties.sealed]: seal(sealing, row.id, toPlaintext(row.value)),
                [plain]: null,
              }) as Partial<Record<Property, unknown>>,
          ),
        )
        total += batch.length
        if (batch.length < batchSize) return total
      }
    },

    async reseal(db, sealing) {
      const isOutdated = sql`not starts_with(${sealed}, ${sealing.currentPrefix()})`
      let after: string | undefined
      for (let total = 0; ; ) {
        const batch = await db.transaction((tx) =>
          rewrite(
            tx,
            sealed,
            and(isOutdated, after === undefined ? undefined : gt(id, after)),
            (row) =>
              ({
                [properties.sealed]: seal(
                  sealing,
                  row.id,
                  sealing.open(contextOf(row.id), row.value as string),
                ),
              }) as Partial<Record<Property, unknown>>,
          ),
        )
        total += batch.length
        after = batch.at(-1)
        if (batch.length < batchSize) return total
      }
    },
  }
}
