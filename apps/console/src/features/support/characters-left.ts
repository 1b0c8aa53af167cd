import { m } from '@slipway/phrases'

/** How many characters remain, or how many are too many. */
export const charactersLeft = (left: number) =>
  left < 0
    ? m.support_characters_over({ count: -left })
    : m.support_characters_left({ count: left })
