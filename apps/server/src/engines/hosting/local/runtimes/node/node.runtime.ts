import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readManifest } from '../../../../../artifacts/manifest.ts'
import { createLimiter } from '../../../../../limiter.ts'
import { root } from '../../../../../root.ts'
import { proxyPort } from '../../egress/proxy-settings.ts'
import { writeFileAtomic } from '../../files/atomic-file.ts'
import type { LocalRuntime, Machine } from '../runtime.ts'
import {
  defaultInstallLimits,
  type InstallLimits,
  installPackages,
  reusePackages,
} from './install-packages.ts'
import { listeningPorts } from './listening-ports.ts'
import { findNodeHeaders } from './node-headers.ts'
import {
  commonEnv,
  defaultNodeLimits,
  headersOf,
  inside,
  type NodeLimits,
  type NodeMachine,
  nodeProgram,
  port,
  readableOf,
} from './node-program.ts'
import { findNpm } from './npm.ts'
import { checkPackage, needsInstall, readPackageJson, startOf } from './package-json.ts'
import { digestPackages, findBuild, recordPackages } from './package-record.ts'

// Not bundled: it runs in other processes.
const relaySource = join(root, 'apps/server/src/engines/hosting/local/runtimes/node/relay.cjs')

/** Packages with native code fit one version of Node's interface. */
const buildName = `node-${process.versions.modules}`

/** An installation takes up to two processors and 1 GB; other releases do not wait for it. */
const concurrentInstalls = 2

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )

export type NodeRuntimeOptions = {
  limits?: Partial<NodeLimits> | undefined
  installLimits?: Partial<InstallLimits> | undefined
  /** Finds the folder of npm, in a test on a machine that has none. */
  lookUpNpm?: typeof findNpm | undefined
}

/** A Node program with a package.json, in a sandbox. */
export function createNodeRuntime(options: NodeRuntimeOptions): LocalRuntime {
  const limits = { ...defaultNodeLimits, ...options.limits }
  const installs = createLimiter(concurrentInstalls)
  const installLimits = { ...defaultInstallLimits, ...options.installLimits }
  let prepared: { machine: Machine; node: NodeMachine | null } | undefined

  const requirePrepared = () => {
    if (!prepared?.node) throw new Error('This machine does not run Node apps')
    return { machine: prepared.machine, node: prepared.node }
  }

  return {
    id: 'node',
    serving: 'http',
    needsRelease: true,
    restartsHanging: false,

    async whySilent(pid) {
      const ports = await listeningPorts(pid)
      if (ports.includes(port)) return { failure: 'not_responding' }
      const otherPort = ports.find((each) => each !== proxyPort)
      return otherPort === undefined
        ? { failure: 'not_listening' }
        : { failure: 'other_port', detail: String(otherPort) }
    },

    async prepare(machine) {
      const npm = await (options.lookUpNpm ?? findNpm)()
      const relay = join(machine.layout.sandbox, 'relay.cjs')
      await mkdir(machine.layout.sandbox, { recursive: true })
      await chmod(machine.layout.sandbox, 0o711)
      await writeFileAtomic(relay, await readFile(relaySource, 'utf8'), { mode: 0o644 })
      const { node, certificates } = machine
      const headers = await findNodeHeaders()
      prepared = {
        machine,
        node: npm === null ? null : { node, npm, relay, headers, certificates },
      }
    },

    async detect() {
      const version = process.versions.node
      if (!prepared) return { version, reason: 'not_started' }
      const { sandbox } = prepared.machine
      if (typeof sandbox === 'string') return { version, reason: sandbox }
      return { version, reason: prepared.node ? null : 'no_npm' }
    },

    check: checkPackage,

    async build({ instance, files, artifact, account }, signal) {
      const { machine, node } = requirePrepared()
      if (!artifact || typeof machine.sandbox === 'string')
        throw new Error('Packages are installed for a release, in a sandbox')
      const target = artifact.build(buildName)
      if (!needsInstall(await readManifest(artifact.manifest))) return null
      const digest = await digestPackages(artifact.files)
      const finish = () => digest && recordPackages(files.packagesRecord, digest, target)
      if (await isFolder(target)) {
        await finish()
        return null
      }
      const earlier = digest && (await findBuild(files.packagesRecord, digest))
      if (earlier && (await reusePackages(artifact.files, target, earlier))) {
        await finish()
        return null
      }
      const headers = headersOf(node)
      const { sandbox } = machine
      const install = {
        key: instance.key,
        source: artifact.files,
        target,
        account,
        readable: { ...readableOf(node, files), ...headers.readable },
        env: { ...commonEnv(node), ...headers.env, NODE_OPTIONS: `--require=${inside.relay}` },
        limits: installLimits,
        signal,
      }
      const built = await installs.run(() => installPackages(sandbox, install), signal)
      if (!built.problem) await finish()
      return built
    },

    async needsBuild({ files, artifact }) {
      if (!artifact || !needsInstall(await readManifest(artifact.manifest))) return false
      if (await isFolder(artifact.build(buildName))) return false
      const digest = await digestPackages(artifact.files)
      const earlier = digest && (await findBuild(files.packagesRecord, digest))
      return !(earlier && (await isFolder(earlier)))
    },

    async launch({ instance, files, artifact }) {
      const { node } = requirePrepared()
      if (!artifact || instance.artifact === null) throw new Error(`${instance.key} has no release`)
      const built = artifact.build(buildName)
      const app = (await isFolder(built)) ? built : artifact.files
      const description = await readPackageJson(app)
      if (!description) throw new Error(`${instance.key} has no package.json`)
      const start = startOf(description, await readManifest(artifact.manifest))
      const site = { files, app, start, environment: instance.environment }
      return { ...nodeProgram(node, site, limits), release: instance.artifact }
    },

    probe: { path: '/', isHealthy: (status) => status < 500 },

    metadata: (version) => [
      { key: 'runtime_version', value: `Node ${version ?? process.versions.node}` },
    ],
  }
}
