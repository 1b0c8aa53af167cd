/** Letters that NFD does not decompose into an ASCII letter and marks. */
const undecomposedLetters: Record<string, string> = {
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  đ: 'd',
  ł: 'l',
}

/** The random characters at the end of a project's key. */
export const keySuffixLength = 6

/** A DNS label has at most 63 characters (RFC 1035 §2.3.4). */
const slugLength = 63 - 1 - keySuffixLength

/** The name as part of a DNS label: `Gümüş Kaşık` is `gumus-kasik`. `site` if nothing remains. */
export const projectSlug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[ıßæøđł]/g, (letter) => undecomposedLetters[letter] ?? '')
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLength)
    .replace(/^-+|-+$/g, '') || 'site'
