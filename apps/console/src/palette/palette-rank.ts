import { normalizeSearch } from '../ui/table/normalize-search.ts'

type Named = { id: string; name: string; place: string; words?: readonly string[] }

/** What is found for what was typed, so that nothing is folded anew at each key. */
export type Indexed<Item> = { item: Item; name: string; all: string }

/** The items as they are searched. */
export const indexOf = <Item extends Named>(items: readonly Item[]): Indexed<Item>[] =>
  items.map((item) => {
    const name = normalizeSearch(item.name)
    return {
      item,
      name,
      all: [name, normalizeSearch(item.place), ...(item.words ?? []).map(normalizeSearch)].join(
        ' ',
      ),
    }
  })

const startsWord = (text: string, word: string) => ` ${text}`.includes(` ${word}`)

/** How well an item fits, the least the best; null where a word is missing from it. */
function misfit({ name, all }: Indexed<Named>, query: string, words: readonly string[]) {
  if (!words.every((word) => all.includes(word))) return null
  if (name === query) return 0
  if (name.startsWith(query)) return 1
  if (words.every((word) => startsWord(name, word))) return 2
  if (words.every((word) => name.includes(word))) return 3
  return words.every((word) => startsWord(all, word)) ? 4 : 5
}

/**
 * The items that have all the words typed, in any order, the best fit first; of equal ones what was chosen
 * before, and then their own order.
 */
export function rank<Item extends Named>(
  index: readonly Indexed<Item>[],
  typed: string,
  recent: readonly string[],
): Item[] {
  const query = normalizeSearch(typed)
  const words = query.split(' ')
  const placeOf = (id: string) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  return index
    .flatMap((indexed) => {
      const found = misfit(indexed, query, words)
      return found === null ? [] : [{ item: indexed.item, found, place: placeOf(indexed.item.id) }]
    })
    .sort((one, other) => one.found - other.found || one.place - other.place)
    .map(({ item }) => item)
}
