import { m } from '@slipway/phrases'

/** How much may still be typed, or how much is too much. */
export const charactersLeft = (left: number) =>
  left < 0
    ? m.support_characters_over({ count: -left })
    : m.support_characters_left({ count: left })
