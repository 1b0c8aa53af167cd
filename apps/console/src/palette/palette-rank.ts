import { normalizeSearch } from '../ui/table/normalize-search.ts'

type Named = {
  id: string
  name: string
  category: string
  words?: readonly string[]
  isDeleted?: boolean
}

/** An item with its normalized texts, which all queries share. */
export type Indexed<Item> = { item: Item; name: string; texts: string }

export const indexItems = <Item extends Named>(items: readonly Item[]): Indexed<Item>[] =>
  items.map((item) => {
    const name = normalizeSearch(item.name)
    const others = [item.category, ...(item.words ?? [])].map(normalizeSearch)
    return { item, name, texts: [name, ...others].join(' ') }
  })

const startsWord = (text: string, word: string) => ` ${text}`.includes(` ${word}`)

/** The distance of an item from the query: 0 for its exact name, null if it lacks a word. */
function distanceOf({ name, texts }: Indexed<Named>, query: string, words: readonly string[]) {
  if (!words.every((word) => texts.includes(word))) return null
  if (name === query) return 0
  if (name.startsWith(query)) return 1
  if (words.every((word) => startsWord(name, word))) return 2
  if (words.every((word) => name.includes(word))) return 3
  return words.every((word) => startsWord(texts, word)) ? 4 : 5
}

/**
 * The items that have all words of the query, in any order, the best match first and deleted items
 * last. Equal matches are ordered by `recent` (ids, the most recent first), then as in the index.
 */
export function rank<Item extends Named>(
  index: readonly Indexed<Item>[],
  typedQuery: string,
  recent: readonly string[],
): Item[] {
  const query = normalizeSearch(typedQuery)
  const words = query.split(' ')
  const recencyOf = (id: string) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  return index
    .flatMap((indexed) => {
      const distance = distanceOf(indexed, query, words)
      const { item } = indexed
      return distance === null ? [] : [{ item, distance, recency: recencyOf(item.id) }]
    })
    .sort(
      (one, other) =>
        Number(one.item.isDeleted ?? false) - Number(other.item.isDeleted ?? false) ||
        one.distance - other.distance ||
        one.recency - other.recency,
    )
    .map(({ item }) => item)
}

/**
 * True if a word of the query begins a word of the action's name. Words of the project, which is
 * the action's category, do not count: the name of a project finds only the project.
 */
export function namesAction(typedQuery: string, { category }: Named, name: string) {
  const project = normalizeSearch(category)
  const nameOfAction = name.replace(project, ' ')
  return normalizeSearch(typedQuery)
    .split(' ')
    .some((word) => word !== '' && startsWord(nameOfAction, word))
}
