import type { Locale } from './paraglide/runtime.js'

// What the compiled phrases take from their registry, for the console, whose build puts this in its place: a
// browser's own rules cost a phone some hundredth of a second, and the phrases make them anew each time.

/** Which form a whole number takes: both languages have one for 1 and one for all others (Unicode CLDR). */
export const plural = (_locale: Locale, count: unknown) => (`${count}` === '1' ? 'one' : 'other')
