import { normalizeSearch } from './normalize-search.ts'

/** What is searched of a row: the texts that it shows or is known by, and its id. */
export type SearchIn<Row> = (row: Row) => readonly (string | null | undefined | { id: string })[]

/** An id is looked for by its end: by less of it, or by any part, every number would find some. */
const idCharacters = 4

type Searched = { texts: string; ids: string[] }

function searchedOf(given: ReturnType<SearchIn<never>>): Searched {
  const texts: string[] = []
  const ids: string[] = []
  for (const each of given)
    if (typeof each === 'object' && each) ids.push(normalizeSearch(each.id))
    else texts.push(normalizeSearch(each ?? ''))
  // No word has a line's end in it: none is found across two texts.
  return { texts: texts.join('\n'), ids }
}

const has = ({ texts, ids }: Searched, word: string) =>
  texts.includes(word) || (word.length >= idCharacters && ids.some((id) => id.endsWith(word)))

/**
 * A search over rows: gives those in whose texts every word of it occurs, in any of them. What a row is
 * searched by is folded once, however often the search changes.
 */
export function createSearch<Row>(rows: readonly Row[], searchIn: SearchIn<Row>) {
  let folded: { row: Row; searched: Searched }[] | undefined
  return (search: string): readonly Row[] => {
    const words = normalizeSearch(search).split(' ').filter(Boolean)
    if (words.length === 0) return rows
    folded ??= rows.map((row) => ({ row, searched: searchedOf(searchIn(row)) }))
    return folded
      .filter(({ searched }) => words.every((word) => has(searched, word)))
      .map(({ row }) => row)
  }
}
