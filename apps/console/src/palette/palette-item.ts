import type { ComponentType, ReactNode } from 'react'

/** Something that the palette finds. */
export type PaletteItem = {
  /** The same on every visit: what was chosen is remembered by it. */
  id: string
  name: string
  /** What it is, or where it lives. */
  place: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** A state to tell at a glance. */
  badge?: ReactNode
  /** What else it is found by: an id, a key, a domain. */
  words?: readonly string[]
} & ({ to: string; run?: never } | { to?: never; run: () => unknown })
