/**
 * Normalizes a text for searching: no case, no diacritics, no dotted or dotless i. `isik` finds
 * `IŞIK`, `Işık` and `ışık` in every language. Not for display.
 */
export const normalizeSearch = (text: string) =>
  // biome-ignore lint/plugin: the result is compared, never shown
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Names mix languages, so no locale's rules apply: `I` and `İ` both become i.
    .toLowerCase()
    .replace(/ı/g, 'i')
    .trim()
    .replace(/\s+/g, ' ')
