import { m } from '@slipway/phrases'
import type { PaletteItem } from './palette-item.ts'
import { type Indexed, rank } from './palette-rank.ts'

export type PaletteGroup = {
  label: string
  items: PaletteItem[]
  /** The label says of all of them what they are: none of them says it again. */
  isOneKind?: true
}

/** More than anybody reads: who does not find it types on. */
const most = 50

type Given = {
  pages: PaletteItem[]
  actions: PaletteItem[]
  /** Everything there is, as it is searched. */
  index: readonly Indexed<PaletteItem>[]
  recent: readonly string[]
}

/** What shows before anything is typed: what was chosen last, then where one can go and what one can do. */
function unasked({ pages, actions, index, recent }: Given): PaletteGroup[] {
  const chosen = recent.flatMap((id) => index.find(({ item }) => item.id === id)?.item ?? [])
  const others = (items: PaletteItem[]) => items.filter((item) => !chosen.includes(item))
  const groups: PaletteGroup[] = [
    { label: m.palette_recent(), items: chosen },
    { label: m.palette_pages(), items: others(pages), isOneKind: true },
    { label: m.palette_actions(), items: others(actions), isOneKind: true },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

/** What the palette shows for what was typed; `count` is how many were found, null when nothing was asked. */
export function paletteGroups(typed: string, given: Given) {
  if (typed.trim() === '') return { groups: unasked(given), count: null }
  const found = rank(given.index, typed, given.recent).slice(0, most)
  const groups: PaletteGroup[] =
    found.length > 0
      ? [{ label: m.palette_found(), items: found }]
      : [{ label: m.palette_pages(), items: given.pages, isOneKind: true }]
  return { groups, count: found.length }
}
