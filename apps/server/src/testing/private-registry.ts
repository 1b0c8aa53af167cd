import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { arch, networkInterfaces, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readKubeconfig } from '../engines/hosting/kubernetes/api/kubeconfig.ts'
import { hasDebianPackage } from './debian-package.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const run = promisify(execFile)

/** Why this machine cannot run a registry for the nodes; undefined where it can. */
export async function whyNoRegistry(kubeconfig: string): Promise<string | undefined> {
  if (!(await isOnThisMachine(kubeconfig)))
    return 'the API server is not on this machine: the nodes must share its loopback interface'
  return (await hasDebianPackage('docker-registry'))
    ? undefined
    : 'docker-registry is not installed'
}

async function isOnThisMachine(file: string) {
  const config = await readKubeconfig({ file, context: undefined })
  const { hostname } = new URL(config.getCurrentCluster()?.server ?? '')
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return hostname === 'localhost' || addresses.some(({ address }) => address === hostname)
}

/** The only account of the registry. */
export const registryAccount = { username: 'acme', password: 'the-right-password' }
/** Its line of `htpasswd -B`: the registry reads no other format. */
const accounts = 'acme:$2y$04$LxrvLH86SAeX2S6Nw3zsBuASU5vYCY02iS.QPX8CpTAezqRVEgRIC\n'
const authorization = `Basic ${btoa(Object.values(registryAccount).join(':'))}`

const siteScript = new URL(
  '../engines/hosting/kubernetes/fixtures/test-site/main.mjs',
  import.meta.url,
).pathname

/** A container registry on a port of the loopback. `auth`: how it checks credentials. */
async function startRegistry(auth: (folder: string) => Promise<object>) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-registry-'))
  const config = join(folder, 'config.yml')
  const host = `127.0.0.1:${await freePort()}`
  await writeFile(
    config,
    JSON.stringify({
      version: '0.1',
      http: { addr: host, secret: 'of this test' },
      storage: { filesystem: { rootdirectory: join(folder, 'storage') } },
      ...(await auth(folder)),
    }),
  )
  const registry = spawn('docker-registry', ['serve', config], { stdio: 'ignore' })
  const exited = once(registry, 'exit')
  const send = (path: string | URL, init: RequestInit = {}) =>
    fetch(new URL(path, `http://${host}`), {
      ...init,
      headers: { authorization, ...init.headers },
    })
  await until(() =>
    send('/v2/').then(
      ({ ok }) => ok,
      () => false,
    ),
  )

  /** Stores a blob of `repository`, and describes it as manifests do. */
  async function push(repository: string, mediaType: string, content: Uint8Array<ArrayBuffer>) {
    const digest = digestOf(content)
    const begun = await send(`/v2/${repository}/blobs/uploads/`, { method: 'POST' })
    const upload = new URL(begun.headers.get('location') ?? '', begun.url)
    upload.searchParams.set('digest', digest)
    const headers = { 'content-type': 'application/octet-stream' }
    await require201(await send(upload, { method: 'PUT', headers, body: content }))
    return { mediaType, digest, size: content.length }
  }

  return {
    host,
    /** Stores an image of `fixtures/test-site`; resolves with its reference. */
    async pushTestSite(repository: string): Promise<string> {
      const layer = await layerOfTestSite(folder)
      const manifest = JSON.stringify({
        schemaVersion: 2,
        mediaType: manifestType,
        config: await push(repository, `${ociType}.config.v1+json`, configOf(layer)),
        layers: [await push(repository, `${ociType}.layer.v1.tar`, layer)],
      })
      const digest = digestOf(manifest)
      const headers = { 'content-type': manifestType }
      const path = `/v2/${repository}/manifests/${digest}`
      await require201(await send(path, { method: 'PUT', headers, body: manifest }))
      return `${host}/${repository}@${digest}`
    },
    async close() {
      registry.kill()
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

/** A registry that requires its account. */
export const startPrivateRegistry = () =>
  startRegistry(async (folder) => {
    const path = join(folder, 'htpasswd')
    await writeFile(path, accounts)
    return { auth: { htpasswd: { realm: 'registry', path } } }
  })

/** A registry that ignores credentials. */
export const startPublicRegistry = () => startRegistry(async () => ({}))

export type PrivateRegistry = Awaited<ReturnType<typeof startPrivateRegistry>>

// OCI image specification: `media-types.md`.
const ociType = 'application/vnd.oci.image'
const manifestType = `${ociType}.manifest.v1+json`

const digestOf = (content: string | Uint8Array) =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`

async function require201(response: Response) {
  if (response.status !== 201)
    throw new Error(`the registry responded ${response.status}: ${await response.text()}`)
}

/** The program, this Node and its libraries; no base image is needed. */
async function layerOfTestSite(folder: string) {
  const { stdout } = await run('ldd', [process.execPath])
  const libraries = (stdout.match(/\/\S+/g) ?? []).map((path) => path.slice(1))
  const layer = join(folder, 'layer.tar')
  // Node and the script at the root of the image: pods mount a volume at /tmp.
  const programs = [process.execPath, siteScript].flatMap((path) => [
    '-C',
    dirname(path),
    basename(path),
  ])
  await run('tar', ['--dereference', '-cf', layer, '-C', '/', ...libraries, ...programs])
  return readFile(layer)
}

const configOf = (layer: Uint8Array) =>
  Buffer.from(
    JSON.stringify({
      os: 'linux',
      architecture: arch() === 'x64' ? 'amd64' : arch(),
      config: { Cmd: [process.execPath, siteScript].map((path) => `/${basename(path)}`) },
      rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
    }),
  )
