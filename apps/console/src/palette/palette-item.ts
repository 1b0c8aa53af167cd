import type { ComponentType, ReactNode } from 'react'

/** What the palette finds: a link (`to`) or an action (`run`). */
export type PaletteItem = {
  /** The same on every visit: recent items are stored by it. */
  id: string
  name: string
  /** What it is, and what it belongs to. */
  category: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** Its state. */
  badge?: ReactNode
  /** Other texts that find it, such as an id, a key or a domain. */
  words?: readonly string[]
} & ({ to: string; run?: never } | { to?: never; run: () => unknown })
