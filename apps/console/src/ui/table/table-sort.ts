/** An amount, as big.js has it: it is never made a number. */
type Decimal = { cmp: (other: never) => number }

/** What rows are put in order by: text as people write it, a number such as a time, an amount. Null comes last. */
export type SortValue = string | number | Decimal | null

/** The column that rows are put in order by, and in which direction. */
export type Sort = { key: string; descending: boolean }

/** The order as it stands in an address: `name`, or `-name` for a descending one. */
export const formatSort = ({ key, descending }: Sort) => `${descending ? '-' : ''}${key}`

/** The order that a text of `formatSort` names; undefined when it names none of these columns. */
export function parseSort(text: string | undefined, keys: readonly string[]): Sort | undefined {
  const descending = text?.startsWith('-') ?? false
  const key = descending ? text?.slice(1) : text
  return key !== undefined && keys.includes(key) ? { key, descending } : undefined
}

/** The order after a press on a column's header: ascending, descending, the table's own. */
export function nextSort(current: Sort | undefined, key: string): Sort | undefined {
  if (current?.key !== key) return { key, descending: false }
  return current.descending ? undefined : { key, descending: true }
}

const collators = new Map<string, Intl.Collator>()

/** A browser takes a while to make one: it is made when something is sorted, once for a language. */
function collatorOf(locale: string) {
  const made =
    collators.get(locale) ?? new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
  collators.set(locale, made)
  return made
}

/** Values of a column are of one kind, so what `one` is says what the other is. */
function compare(one: SortValue, other: SortValue, collator: Intl.Collator) {
  if (typeof one === 'string') return collator.compare(one, other as string)
  if (typeof one === 'number') return one - (other as number)
  return (one as Decimal).cmp(other as never)
}

/**
 * The rows in the order of `sortBy`, text by the rules of the language. Rows that are alike keep their
 * places among themselves in both directions, and those without a value come last in both.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => SortValue,
  { descending, locale }: { descending: boolean; locale: string },
): Row[] {
  const collator = collatorOf(locale)
  const direction = descending ? -1 : 1
  return rows
    .map((row) => ({ row, value: sortBy(row) }))
    .sort((one, other) => {
      if (one.value === null || other.value === null)
        return Number(one.value === null) - Number(other.value === null)
      return direction * compare(one.value, other.value, collator)
    })
    .map(({ row }) => row)
}
