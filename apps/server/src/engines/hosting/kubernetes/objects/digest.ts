import { createHash } from 'node:crypto'

/** A text that is equal for equal values: the keys of objects are sorted. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part).sort(([first], [second]) => (first < second ? -1 : 1)),
        )
      : part,
  )

/** A short digest of a value, whatever the order of its keys. Fits into a label. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32)
