import { createHash } from 'node:crypto'
import { baseStyle } from './base-style.ts'
import { journal } from './journal.ts'
import { type AccentId, accentIds, createPalette, type Palette, paletteStyle } from './palette.ts'
import { portfolio } from './portfolio.ts'
import { shopfront } from './shopfront.ts'

export const designs = { journal, shopfront, portfolio }

export type DesignId = keyof typeof designs

export const designIds = Object.keys(designs) as DesignId[]

/** A design with its accent color. */
export type Look = { design: DesignId; accent: AccentId }

export const isLook = ({ design, accent }: { design: unknown; accent: unknown }): boolean =>
  designIds.includes(design as DesignId) && accentIds.includes(accent as AccentId)

/** The style of a look, and its hash for the content security policy. */
export type LookStyle = { css: string; hash: string; light: Palette; dark: Palette }

const styles = new Map<string, LookStyle>()

export const lookStyle = ({ design, accent }: Look): LookStyle => {
  const id = `${design} ${accent}`
  const cachedStyle = styles.get(id)
  if (cachedStyle) return cachedStyle
  const { style, ...schemes } = designs[design]
  const light = createPalette(schemes.light, accent)
  const dark = createPalette(schemes.dark, accent)
  const css = `:root{${paletteStyle(light)}}@media (prefers-color-scheme:dark){:root{${paletteStyle(dark)}}}@media print{:root{${paletteStyle(light)}}}${(baseStyle + style).replace(/\n/g, '')}`
  const newStyle = { css, hash: createHash('sha256').update(css).digest('base64'), light, dark }
  styles.set(id, newStyle)
  return newStyle
}
