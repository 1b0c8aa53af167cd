import { mix, moreReadable, readableColor } from './contrast.ts'

/** The accent colors: hue and chroma in OKLCH. The lightness follows from the background. */
export const accents = {
  blue: { chroma: 0.17, hue: 262 },
  teal: { chroma: 0.1, hue: 200 },
  green: { chroma: 0.12, hue: 152 },
  ochre: { chroma: 0.12, hue: 75 },
  rust: { chroma: 0.15, hue: 42 },
  rose: { chroma: 0.18, hue: 10 },
  violet: { chroma: 0.17, hue: 300 },
  graphite: { chroma: 0.012, hue: 260 },
} as const

export type AccentId = keyof typeof accents

export const accentIds = Object.keys(accents) as AccentId[]

/** The neutral colors of a design in one scheme. */
export type Neutrals = { paper: string; ink: string; soft: string; line: string }

export type Palette = Neutrals & {
  accent: string
  /** Text on the accent. */
  onAccent: string
  /** The paper with a little of the accent. */
  tint: string
}

/** The colors of a design in one scheme with an accent. All text is readable on paper and tint. */
export const createPalette = (neutrals: Neutrals, accent: AccentId): Palette => {
  const { paper } = neutrals
  const first = readableColor(accents[accent], [paper])
  const tint = mix(first, paper, 0.08)
  const color = readableColor(accents[accent], [paper, tint])
  return { ...neutrals, accent: color, tint, onAccent: moreReadable('#ffffff', '#121212', color) }
}

/** The custom properties of a palette. */
export const paletteStyle = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, color]) => `--${name === 'onAccent' ? 'on-accent' : name}:${color}`)
    .join(';')
