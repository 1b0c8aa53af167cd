import { ArchiveError } from './archive-error.ts'

const maxPathLength = 1024
/** The longest file name of Linux and macOS file systems, in bytes. */
const maxNameLength = 255
/** Folders within folders. Deeper ones cost much and no site has them. */
const maxDepth = 64

/** Files that operating systems add to archives and no site needs. */
const ignoredNames = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The name of an entry. Throws `name_not_utf8`. */
export function decodeName(name: Buffer): string {
  try {
    return utf8.decode(name)
  } catch {
    throw new ArchiveError('name_not_utf8', name.toString('latin1'))
  }
}

/**
 * The path of an entry below the artifact's folder, with `/` and in Unicode's composed form (NFC),
 * as browsers request it. Null for an entry without content of the site. Throws `path_outside` and
 * `name_invalid`.
 */
export function entryPath(name: string): string | null {
  const isAbsolute = name.startsWith('/') || /^[a-z]:/i.test(name)
  // Windows programs separate folders with a backslash.
  const parts = name.normalize('NFC').split(/[/\\]/)
  if (isAbsolute || parts.includes('..')) throw new ArchiveError('path_outside', name)
  const normalParts = parts.filter((part) => part !== '' && part !== '.')
  const path = normalParts.join('/')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point
  const isInvalid = /[\u0000-\u001f\u007f]/.test(path)
  const isLong =
    Buffer.byteLength(path) > maxPathLength ||
    normalParts.length > maxDepth ||
    normalParts.some((part) => Buffer.byteLength(part) > maxNameLength)
  if (isInvalid || isLong) throw new ArchiveError('name_invalid', name)
  if (normalParts.length === 0 || normalParts[0] === '__MACOSX') return null
  return ignoredNames.has(normalParts.at(-1) ?? '') ? null : path
}
