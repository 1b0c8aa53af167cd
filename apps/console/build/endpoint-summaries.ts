import type { Plugin } from 'vite'

/**
 * Removes the summaries of the endpoints from the bundle: only the API's documentation shows them
 * (decision 59).
 */
export const withoutEndpointSummaries = (): Plugin => ({
  name: 'without-endpoint-summaries',
  apply: 'build',
  // On the sources, before their types are removed.
  enforce: 'pre',
  transform: {
    filter: { id: /\/packages\/contract\/src\/[\w-]+\.ts$/ },
    handler: (code) => code.replaceAll(/^ +summary:\s+(['"`])(?:\\.|(?!\1).)*\1,\n/gm, ''),
  },
})
