import { foldText } from './fold.ts'

/** What is searched of a row: texts that it shows or is known by. */
export type SearchIn<Row> = (row: Row) => readonly (string | null | undefined)[]

/**
 * A search over rows: gives those in whose texts every word of it occurs, in any of them. What a row is
 * searched by is folded once, however often the search changes.
 */
export function createSearch<Row>(rows: readonly Row[], searchIn: SearchIn<Row>) {
  let folded: string[] | undefined
  return (search: string): readonly Row[] => {
    const words = foldText(search).split(' ').filter(Boolean)
    if (words.length === 0) return rows
    // No word has a line's end in it: none is found across two texts.
    folded ??= rows.map((row) =>
      searchIn(row)
        .map((text) => foldText(text ?? ''))
        .join('\n'),
    )
    const texts = folded
    return rows.filter((_, index) => words.every((word) => texts[index]?.includes(word)))
  }
}
