import { fileURLToPath } from 'node:url'

/** The repository's root folder: `src/` and the built `dist/` are at the same depth. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))
