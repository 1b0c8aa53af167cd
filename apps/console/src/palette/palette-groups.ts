import { m } from '@slipway/phrases'
import type { PaletteItem } from './palette-item.ts'
import { type Indexed, rank } from './palette-rank.ts'

export type PaletteGroup = {
  label: string
  items: PaletteItem[]
  /** True if all items have the label's category, so their rows omit it. */
  isOneCategory?: true
}

/** Further results are reached by a longer query. */
const maxResults = 50

type Content = {
  pages: PaletteItem[]
  actions: PaletteItem[]
  index: readonly Indexed<PaletteItem>[]
  recent: readonly string[]
}

/** The groups of an empty query: recent items, then the other pages and actions. */
function defaultGroups({ pages, actions, index, recent }: Content): PaletteGroup[] {
  const recentItems = recent.flatMap((id) => index.find(({ item }) => item.id === id)?.item ?? [])
  const others = (items: PaletteItem[]) => items.filter((item) => !recentItems.includes(item))
  const groups: PaletteGroup[] = [
    { label: m.palette_recent(), items: recentItems },
    { label: m.palette_pages(), items: others(pages), isOneCategory: true },
    { label: m.palette_actions(), items: others(actions), isOneCategory: true },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

/** The groups for a query. `count` is the number of results, null for an empty query. */
export function paletteGroups(query: string, content: Content) {
  if (query.trim() === '') return { groups: defaultGroups(content), count: null }
  const results = rank(content.index, query, content.recent).slice(0, maxResults)
  const groups: PaletteGroup[] =
    results.length > 0
      ? [{ label: m.palette_found(), items: results }]
      : [{ label: m.palette_pages(), items: content.pages, isOneCategory: true }]
  return { groups, count: results.length }
}
