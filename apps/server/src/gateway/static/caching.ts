/** Revalidated by its ETag at each use, so that a release shows at once. */
const revalidated = 'public, max-age=0, must-revalidate'
/** For names that change with their content (RFC 8246). */
const immutable = 'public, max-age=31536000, immutable'

/** Folders where generators write files whose names have a hash of eight characters. */
const hashedFolders = /^(?:.*\/)?(?:assets|_astro|_app\/immutable|_next\/static)\//
const shortHash = /[.-][\w-]{8}\.\w+$/
/** A hash in a name: eight or more hexadecimal digits, with a digit and a letter. */
const longHash = /[.-](?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,}\.\w+(?:\.map)?$/

/** The Cache-Control of a file, unless the site's `_headers` says otherwise. */
export const cacheControl = (path: string) =>
  longHash.test(path) || (hashedFolders.test(path) && shortHash.test(path))
    ? immutable
    : revalidated
