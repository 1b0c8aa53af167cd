import { normalizeSearch } from './normalize-search.ts'

/** The searchable parts of a row: the texts that identify it, and its id. */
export type SearchIn<Row> = (row: Row) => readonly (string | null | undefined | { id: string })[]

/** Minimum length of a word that matches the end of an id; shorter ones match too many ids. */
const minIdLength = 4

type SearchIndex = { texts: string; ids: string[] }

function searchIndexOf(parts: ReturnType<SearchIn<never>>): SearchIndex {
  const texts: string[] = []
  const ids: string[] = []
  for (const part of parts)
    if (typeof part === 'object' && part) ids.push(normalizeSearch(part.id))
    else texts.push(normalizeSearch(part ?? ''))
  // A word has no line break, so it never matches across two texts.
  return { texts: texts.join('\n'), ids }
}

const matches = ({ texts, ids }: SearchIndex, word: string) =>
  texts.includes(word) || (word.length >= minIdLength && ids.some((id) => id.endsWith(word)))

/**
 * Creates a search that returns the rows in which every word matches a text or the end of an id, in
 * any order. Rows are indexed once, on the first search.
 */
export function createSearch<Row>(rows: readonly Row[], searchIn: SearchIn<Row>) {
  let indexed: { row: Row; index: SearchIndex }[] | undefined
  return (search: string): readonly Row[] => {
    const words = normalizeSearch(search).split(' ').filter(Boolean)
    if (words.length === 0) return rows
    indexed ??= rows.map((row) => ({ row, index: searchIndexOf(searchIn(row)) }))
    return indexed
      .filter(({ index }) => words.every((word) => matches(index, word)))
      .map(({ row }) => row)
  }
}
