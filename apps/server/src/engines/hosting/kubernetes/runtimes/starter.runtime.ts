import {
  type ClusterRuntime,
  noReleases,
  type RuntimeImages,
  runtimeUser,
} from './cluster-runtime.ts'

const port = 8080
const data = '/data'

/** The page of a project before anything is deployed: code of ours, in the Node image. */
export const starterRuntime = ({ node }: RuntimeImages): ClusterRuntime => ({
  id: 'starter',
  serving: 'http',
  needsRelease: false,
  isUntrusted: false,
  hasImage: node !== undefined,
  check: noReleases,

  program: async ({ key, name, signIn }) => ({
    image: node ?? '',
    command: [
      'node',
      '/site/src/main.js',
      ...['--settings', '/settings/settings.json', '--data', data, '--port', String(port)],
    ],
    env: {},
    port,
    userId: runtimeUser,
    startCheck: { path: '/healthz' },
    dataPath: data,
    release: null,
    settings: JSON.stringify({ key, name, signIn }),
  }),

  probe: () => ({ path: '/healthz', isHealthy: (status) => status === 200 }),
  metadata: () => [{ key: 'database_version', value: 'Flat file 1' }],
})
