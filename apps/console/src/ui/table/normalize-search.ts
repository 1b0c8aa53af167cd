/**
 * A text as searches compare it: without case, marks and the dots of the Turkish i, so that whoever types
 * `isik` finds `IŞIK`, `Işık` and `ışık`, whichever language the page is in. Not for what is shown.
 */
export const normalizeSearch = (text: string) =>
  // biome-ignore lint/plugin: compares, and shows nothing
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // No rule of one language holds for a name of the other: `I` and `İ` are both the i here.
    .toLowerCase()
    .replace(/ı/g, 'i')
    .trim()
    .replace(/\s+/g, ' ')
