import {
  type ClusterRuntime,
  drainCommand,
  noReleases,
  type RuntimeImages,
  runtimeUser,
} from './cluster-runtime.ts'

const port = 8080
const data = '/data'

/** The starter site. Its code is ours and runs in the Node image. */
export const starterRuntime = ({ node }: RuntimeImages): ClusterRuntime => ({
  id: 'starter',
  serving: 'http',
  needsRelease: false,
  isUntrusted: false,
  lacksImage: node === undefined,
  check: noReleases,

  program: async ({ key, name, signIn }) => ({
    image: node ?? '',
    needsCredentials: false,
    command: [
      'node',
      '/site/dist/main.js',
      ...['--settings', '/settings/settings.json', '--data', data, '--port', String(port)],
    ],
    env: {},
    port,
    userId: runtimeUser,
    startCheck: { path: '/healthz' },
    livenessPath: '/healthz',
    drainCommand,
    dataPath: data,
    release: null,
    settings: JSON.stringify({ key, name, signIn }),
  }),

  probe: () => ({ path: '/healthz', isHealthy: (status) => status === 200 }),
  metadata: async () => [{ key: 'database_version', value: 'Flat file 1' }],
})
