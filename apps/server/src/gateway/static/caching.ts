/** Revalidated by its ETag at each use, so that a release shows at once. */
export const revalidated = 'public, max-age=0, must-revalidate'
/** For names that change with their content (RFC 8246). */
const immutable = 'public, max-age=31536000, immutable'

/** Folders in which only generators write, all with a hash in the name. */
const generatedFolders = /^(?:.*\/)?(?:_astro|_app\/immutable|_next\/static)\//
/** The folder of Vite, which also has files that people name. */
const assetsFolder = /^(?:.*\/)?assets\//
const shortHash = /[.-]([\w-]{8})\.\w+$/
/** A hash in a name: eight or more hexadecimal digits, with a digit and a letter. */
const longHash = /[.-](?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,}\.\w+(?:\.map)?$/

/**
 * True for eight characters that are no word: `sale2024`, `1024x768` and `LogoDark` change less
 * often between small letters, capitals and digits. So do three of ten hashes.
 */
const looksRandom = (characters: string) =>
  (characters.match(/[a-z]+|[A-Z]+|\d+/g)?.length ?? 0) >= 5

/** True for a name that changes with its content. */
function hasHash(path: string): boolean {
  if (longHash.test(path)) return true
  const [, hash] = shortHash.exec(path) ?? []
  if (hash === undefined) return false
  return generatedFolders.test(path) || (assetsFolder.test(path) && looksRandom(hash))
}

/** The Cache-Control of a file, unless the site's `_headers` says otherwise. */
export const cacheControl = (path: string) => (hasHash(path) ? immutable : revalidated)
