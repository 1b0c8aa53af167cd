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

/** How many projects an empty query offers. */
const maxProjects = 5

type Content = {
  pages: PaletteItem[]
  actions: PaletteItem[]
  /** The projects, the last changed first. */
  projects: PaletteItem[]
  index: readonly Indexed<PaletteItem>[]
  recent: readonly string[]
}

/** The groups of an empty query: recent items, then projects, then the other pages and actions. */
function defaultGroups({ pages, actions, projects, index, recent }: Content): PaletteGroup[] {
  const recentItems = recent.flatMap((id) => index.find(({ item }) => item.id === id)?.item ?? [])
  const others = (items: PaletteItem[]) => items.filter((item) => !recentItems.includes(item))
  const existing = projects.filter(({ isDeleted }) => !isDeleted)
  const groups: PaletteGroup[] = [
    { label: m.palette_recent(), items: recentItems },
    { label: m.projects_title(), items: others(existing).slice(0, maxProjects) },
    { label: m.palette_pages(), items: others(pages), isOneCategory: true },
    { label: m.palette_actions(), items: others(actions), isOneCategory: true },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function actionsOfOnlyResult([only, second]: readonly PaletteItem[]): PaletteGroup[] {
  const actions = second ? [] : (only?.actions ?? [])
  return actions.length > 0
    ? [{ label: m.palette_actions(), items: [...actions], isOneCategory: true }]
    : []
}

/** The groups for a query. `count` is the number of results, null for an empty query. */
export function paletteGroups(query: string, content: Content) {
  if (query.trim() === '') return { groups: defaultGroups(content), count: null }
  const results = rank(content.index, query, content.recent).slice(0, maxResults)
  const groups: PaletteGroup[] =
    results.length > 0
      ? [{ label: m.palette_found(), items: results }, ...actionsOfOnlyResult(results)]
      : [{ label: m.palette_pages(), items: content.pages, isOneCategory: true }]
  return { groups, count: results.length }
}
