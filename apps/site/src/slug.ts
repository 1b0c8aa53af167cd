const maxLength = 60

/** Letters that Unicode does not decompose. */
const latin: Record<string, string> = { ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' }

/** The addresses that the site itself uses. */
const reserved = new Set(['healthz', 'pictures', 'yk'])

/** The last part of a page's address: lower case letters, digits and single hyphens. */
export const isSlug = (text: string): boolean =>
  text.length <= maxLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && !reserved.has(text)

/** A slug made from any text; empty when none can be made. */
export const toSlug = (text: string): string => {
  const slug = text
    .replaceAll('İ', 'i')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ıßæœøłđ]/g, (letter) => latin[letter] ?? '')
    .replace(/\p{M}|['’]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength - 2)
    .replace(/-$/, '')
  return reserved.has(slug) ? `${slug}-1` : slug
}
