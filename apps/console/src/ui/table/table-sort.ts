/** An amount of big.js, which is never converted to a number. */
type Decimal = { cmp: (other: never) => number }

/** A value to sort by: a text, a number such as a timestamp, or an amount. Null sorts last. */
export type SortValue = string | number | Decimal | null

export type Sort = { key: string; descending: boolean }

/** The order as a query parameter: `name`, or `-name` for descending. */
export const formatSort = ({ key, descending }: Sort) => `${descending ? '-' : ''}${key}`

/** Parses a text of `formatSort`; undefined if it names none of these columns. */
export function parseSort(text: string | undefined, keys: readonly string[]): Sort | undefined {
  const descending = text?.startsWith('-') ?? false
  const key = descending ? text?.slice(1) : text
  return key !== undefined && keys.includes(key) ? { key, descending } : undefined
}

/** The order after a click on a header: ascending, descending, the table's default. */
export function nextSort(current: Sort | undefined, key: string): Sort | undefined {
  if (current?.key !== key) return { key, descending: false }
  return current.descending ? undefined : { key, descending: true }
}

const collators = new Map<string, Intl.Collator>()

/** Cached, as a collator is slow to create. */
function collatorOf(locale: string) {
  const collator =
    collators.get(locale) ?? new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
  collators.set(locale, collator)
  return collator
}

/** All values of a column have the same type. */
function compare(one: SortValue, other: SortValue, collator: Intl.Collator) {
  if (typeof one === 'string') return collator.compare(one, other as string)
  if (typeof one === 'number') return one - (other as number)
  return (one as Decimal).cmp(other as never)
}

/**
 * Sorts rows by `sortBy`, texts by the rules of the locale. In both directions equal rows keep
 * their order and rows without a value come last.
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
