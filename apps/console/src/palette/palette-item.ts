import type { ComponentType, ReactNode } from 'react'

/** A result of the palette: a link (`to`) or an action (`run`). */
export type PaletteItem = {
  /** Stable across visits, because recent items are stored by it. */
  id: string
  name: string
  /** Its kind and its parent, such as `Project in Studio`. */
  category: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** A badge with its state. */
  badge?: ReactNode
  /** Further search texts, such as an id, a key or a domain. */
  words?: readonly string[]
  /** Further actions of the item: shown for the only result, or when a word names the action. */
  actions?: readonly PaletteItem[]
  /** Listed after all others, and only for a query. */
  isDeleted?: boolean
} & ({ to: string; run?: never } | { to?: never; run: () => unknown })
