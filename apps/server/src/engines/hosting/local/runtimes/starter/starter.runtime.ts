import { join } from 'node:path'
import { root } from '../../../../../root.ts'
import type { SiteFiles } from '../../files/layout.ts'
import { certificatesEnv } from '../../machine/site-certificates.ts'
import { type LocalRuntime, type Machine, socketDescriptor } from '../runtime.ts'
import { deleteOldReleases, installRelease, type Release } from './release.ts'

export type StarterLimits = {
  /** JavaScript heap, in MiB. */
  heapMiB: number
  fileBytes: number
}

const starterSite = join(root, 'apps/site')
const okStatus = 200

/** The page that a project has before anything is deployed. It has no releases. */
export function createStarterRuntime(
  limits: StarterLimits,
  siteSource: string = starterSite,
): LocalRuntime {
  let prepared: { machine: Machine; release: Release } | undefined

  return {
    id: 'starter',
    serving: 'http',
    needsRelease: false,

    async prepare(machine) {
      const { releases } = machine.layout
      const release = await installRelease(siteSource, releases)
      prepared = { machine, release }
    },

    detect: async () => ({ version: process.versions.node, reason: null }),
    check: async () => ({ failure: 'runtime_has_no_releases' }),

    async launch({ files }) {
      if (!prepared) throw new Error('The starter runtime is not prepared')
      const { machine, release } = prepared
      return {
        command: [machine.node, ...nodeArguments(release, files, limits), ...siteArguments(files)],
        env: certificatesEnv(machine.certificates?.added),
        cwd: files.data,
        // The starter site is our own code, and runs under Node's permission model.
        sandboxSettings: null,
        fileBytes: limits.fileBytes,
        version: release.version,
        release: release.id,
      }
    },

    probe: {
      path: '/healthz',
      isHealthy: (status, body) => status === okStatus && saysOk(body),
    },

    restartsHanging: true,

    async deleteUnused(releasesInUse) {
      if (!prepared) return
      const { machine, release } = prepared
      await deleteOldReleases(machine.layout.releases, new Set([release.id, ...releasesInUse]))
    },

    metadata: (version) => [
      { key: 'cms_version', value: `Slipway Site ${version ?? prepared?.release.version}` },
      { key: 'database_version', value: 'Flat file 1' },
    ],
  }
}

/**
 * Node's permission model allows the site to read its code, settings and data, to write its data
 * and to use the network, which its socket needs. Child processes, workers and native code are
 * denied.
 */
const nodeArguments = (release: Release, files: SiteFiles, limits: StarterLimits): string[] => [
  '--permission',
  '--allow-net',
  `--allow-fs-read=${release.folder}/`,
  `--allow-fs-read=${files.settings}`,
  `--allow-fs-read=${files.data}/`,
  `--allow-fs-write=${files.data}/`,
  // --allow-net prints an experimental warning, which does not belong in the site's log.
  '--disable-warning=ExperimentalWarning',
  `--max-old-space-size=${limits.heapMiB}`,
  release.main,
]

const siteArguments = (files: SiteFiles): string[] => [
  '--settings',
  files.settings,
  '--data',
  files.data,
  '--socket',
  String(socketDescriptor),
]

const saysOk = (body: string): boolean => {
  try {
    const health = JSON.parse(body) as { status?: unknown } | null
    return health?.status === 'ok'
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
