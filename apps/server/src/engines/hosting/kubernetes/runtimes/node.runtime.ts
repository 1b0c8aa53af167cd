import { readManifest } from '../../../../artifacts/manifest.ts'
import {
  checkPackage,
  needsInstall,
  readPackageJson,
  startOf,
} from '../../local/runtimes/node/package-json.ts'
import {
  anyPage,
  type ClusterRuntime,
  drainCommand,
  type RuntimeImages,
  runtimeUser,
} from './cluster-runtime.ts'

/** The same as in the local engine. */
const port = 3000
/** The share of the memory for the JavaScript heap. Buffers and native code need the rest. */
const heapShare = 0.75

/** A Node program with a package.json and its packages. */
export const nodeRuntime = (
  { node }: RuntimeImages,
  { memoryMiB }: { memoryMiB: number },
): ClusterRuntime => ({
  id: 'node',
  serving: 'http',
  needsRelease: true,
  isUntrusted: true,
  lacksImage: node === undefined,
  check: checkPackage,

  async program({ key, artifact, environment }, release) {
    // The engine runs no Node app without the image.
    if (node === undefined) throw new Error('there is no image of Node')
    if (!release || artifact === null) throw new Error(`${key} has no release`)
    const packageJson = await readPackageJson(release.files)
    if (!packageJson) throw new Error(`${key} has no package.json`)
    const manifest = await readManifest(release.manifest)
    const start = startOf(packageJson, manifest)
    const options = [
      `--max-old-space-size=${Math.floor(memoryMiB * heapShare)}`,
      environment.NODE_OPTIONS,
    ]
    return {
      image: node,
      needsCredentials: false,
      command: 'script' in start ? ['/bin/sh', '-c', start.script] : ['node', start.file],
      env: {
        NODE_ENV: environment.NODE_ENV ?? 'production',
        HOME: '/data',
        TMPDIR: '/tmp',
        PATH: '/app/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        NODE_OPTIONS: options.filter(Boolean).join(' '),
      },
      port,
      userId: runtimeUser,
      // Any page counts, as in the local engine; an HTTP probe of Kubernetes would reject a 404.
      startCheck: { command: ['node', '/slipway/responds.mjs'], seconds: 5 },
      livenessPath: null,
      drainCommand,
      dataPath: '/data',
      release: {
        artifact,
        fetchImage: node,
        needsPackages: needsInstall(manifest),
      },
      settings: null,
    }
  },

  probe: () => anyPage,
  // The site has the Node version of the init container: both run the same image.
  async metadata(_instance, running) {
    if (!running?.nodeVersion) return null
    return [{ key: 'runtime_version', value: `Node ${running.nodeVersion}` }]
  },
})
