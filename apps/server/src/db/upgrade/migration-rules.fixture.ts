/** A statement of a migration that a running server of the previous version may not survive. */
export type Break = { statement: string; reason: string }

const identifier = '"([^"]+)"'
const created = new RegExp(`^create table ${identifier}`, 'i')
const altered = new RegExp(`^alter table ${identifier}`, 'i')
const addedColumn = new RegExp(`add column ${identifier}`, 'i')
const uniqueIndex = new RegExp(`^create unique index .* on ${identifier}`, 'i')
const foreignKey = new RegExp(`foreign key \\(${identifier}\\)`, 'i')

const anywhere: [RegExp, string][] = [
  [/^drop (table|type|schema|sequence|view)|^alter table .* drop column/i, 'it drops what is read'],
  [/ rename (to|column|constraint|value)/i, 'it renames what is used'],
  [/ alter column .* (set data )?type /i, 'it changes a type'],
  [/ alter column .* set not null/i, 'it rejects rows that were accepted'],
  [/ alter column .* drop not null/i, 'it allows rows that were not expected'],
  [/ alter column .* drop default/i, 'it needs a value that is not sent'],
  [/^(delete|truncate) /i, 'it deletes rows'],
]

/**
 * The statements of a migration that do not only add. A table or column that the migration itself
 * creates is unknown to the previous version, so it may have any constraint.
 */
export function findBreaks(migration: string): Break[] {
  const statements = migration
    .split('--> statement-breakpoint')
    .map((text) =>
      text
        .replaceAll(/^\s*--.*$/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
  const newTables = new Set(statements.flatMap((text) => created.exec(text)?.[1] ?? []))
  const newColumns = new Set(statements.flatMap((text) => columnOf(text, addedColumn) ?? []))
  return statements.flatMap((statement) => {
    const reason = reasonOf(statement, newTables, newColumns)
    return reason === undefined ? [] : [{ statement, reason }]
  })
}

function columnOf(statement: string, pattern: RegExp) {
  const table = altered.exec(statement)?.[1]
  const column = pattern.exec(statement)?.[1]
  return table && column ? `${table}.${column}` : undefined
}

function reasonOf(statement: string, newTables: Set<string>, newColumns: Set<string>) {
  const [, reason] = anywhere.find(([pattern]) => pattern.test(statement)) ?? []
  if (reason) return reason
  const table = altered.exec(statement)?.[1] ?? uniqueIndex.exec(statement)?.[1]
  if (table === undefined || newTables.has(table)) return undefined
  if (uniqueIndex.test(statement)) return 'it rejects rows that were accepted'
  if (addedColumn.test(statement))
    return / not null/i.test(statement) && !/ default /i.test(statement)
      ? 'it needs a value that is not sent'
      : undefined
  if (!/ add constraint /i.test(statement)) return undefined
  const key = columnOf(statement, foreignKey)
  return key && newColumns.has(key) ? undefined : 'it rejects rows that were accepted'
}
