import type { Neutrals } from './palette.ts'

/** The look of the public pages. */
export type Design = { light: Neutrals; dark: Neutrals; style: string }
