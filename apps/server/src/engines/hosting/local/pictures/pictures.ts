import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { defaultPorts } from '../../../../env/public-ports.ts'
import { healthCheckAgent } from '../../../../health-check-agent.ts'
import { createLimiter } from '../../../../limiter.ts'
import type { Log } from '../../../../log.ts'
import { root } from '../../../../root.ts'
import { type Instance, type Picture, PictureError } from '../../engine.ts'
import type { Gateway } from '../../health-check.ts'
import type { Egress } from '../egress/egress-proxy.ts'
import { createOwnAddress, type GatewayPorts } from '../egress/own-address.ts'
import { insideEgress } from '../egress/proxy-settings.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import type { Layout } from '../files/layout.ts'
import type { Accounts } from '../machine/accounts.ts'
import type { Cgroups, ResourceLimits } from '../sandbox/cgroup.ts'
import type { Sandbox, SandboxedProcess } from '../sandbox/sandbox.ts'
import { findBrowser } from './find-browser.ts'

export type PictureOptions = {
  /** The browser's program; `off` for no pictures; without it the first Chromium in `PATH`. */
  browser?: string | undefined
  limits?: Partial<PictureLimits>
}

export type PictureLimits = ResourceLimits & {
  /** How long a page may load once it responds; then the picture shows the loaded part. */
  loadMs: number
  /** How long a picture may take. */
  timeoutMs: number
  pictureBytes: number
}

/** Chromium with one page that is heavy. Threads count as processes. */
const defaultLimits: PictureLimits = {
  memoryBytes: 768 * 2 ** 20,
  cpus: 1,
  processes: 256,
  loadMs: 8_000,
  timeoutMs: 20_000,
  pictureBytes: 300_000,
}

/** The size of a picture in pixels. */
const size = { width: 1280, height: 800, smallScale: 1 / 8 }

/** The longest output of the program: both pictures in base64, the small one at most as large. */
const maxOutput = ({ pictureBytes }: PictureLimits) => 3 * pictureBytes

const source = join(root, 'apps/server/src/engines/hosting/local/pictures/take-picture.cjs')
const inside = { node: '/runtime/bin/node', program: '/runtime/take-picture.cjs' }

/** No project key: pictures have their own account and proxy. */
const owner = 'picture of a site'

type Machine = {
  layout: Layout
  accounts: Accounts
  node: string
  cgroups: Cgroups | null
  sandbox: Sandbox | string
}

type Ready = { machine: Machine; sandbox: Sandbox; browser: string; program: string }

type Surroundings = { egress: Egress; gateway: Gateway; gatewayPorts: GatewayPorts; log: Log }

export type Pictures = {
  /** Ends the picture of an earlier server. Logs why this machine takes no pictures. */
  prepare(machine: Machine): Promise<void>
  /**
   * A picture of the first page of a running site. Null on a machine that takes none. One at a
   * time; rejects with a `PictureError`.
   */
  take(instance: Pick<Instance, 'hosts'>): Promise<Picture | null>
  close(): Promise<void>
}

/**
 * Pictures of sites by a Chromium in the sandbox of customers' programs: every page is hostile. It
 * reaches the site itself by the gateway and the internet by the proxy of sites, nothing else.
 */
export function createPictures(
  { browser: setting, limits: changed }: PictureOptions,
  { egress, gateway, gatewayPorts, log }: Surroundings,
): Pictures {
  const limits = { ...defaultLimits, ...changed }
  const queue = createLimiter(1)
  const closing = new AbortController()
  let ready: Ready | null = null

  async function prepare(machine: Machine) {
    if (setting === 'off') return
    const { layout, cgroups, sandbox } = machine
    const browser = await findBrowser(setting)
    if (typeof sandbox === 'string' || !sandbox.isolates || !cgroups || !browser) {
      const reason = browser ? 'they need the sandbox' : 'no Chromium was found'
      return log.info({}, `No pictures of sites are taken: ${reason} (PICTURES_BROWSER)`)
    }
    await cgroups.open(layout.pictureGroup).remove()
    const program = join(layout.sandbox, 'take-picture.cjs')
    await mkdir(layout.sandbox, { recursive: true })
    await chmod(layout.sandbox, 0o711)
    await writeFileAtomic(program, await readFile(source, 'utf8'), { mode: 0o644 })
    ready = { machine, sandbox, browser, program }
  }

  async function photograph(
    { machine, sandbox, browser, program }: Ready,
    { hosts }: Pick<Instance, 'hosts'>,
  ): Promise<Picture> {
    const { accounts, layout, node } = machine
    const account = accounts.claim(owner)
    const sockets = layout.pictureEgress
    const ownAddress = createOwnAddress(gateway, gatewayPorts, async () => hosts)
    await egress.open(owner, sockets, account, ownAddress)
    const { http } = gatewayPorts.publicPorts ?? defaultPorts
    const port = http === defaultPorts.http ? '' : `:${http}`
    const { pictureBytes, loadMs, timeoutMs } = limits
    const order = {
      browser,
      url: `http://${hosts[0]}${port}/`,
      agent: healthCheckAgent,
      ...size,
      pictureBytes,
      loadMs,
      timeoutMs,
    }
    const running = await sandbox.start({
      name: layout.pictureGroup,
      command: [inside.node, inside.program, JSON.stringify(order)],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' },
      cwd: '/tmp',
      readable: {
        [inside.node]: node,
        [inside.program]: program,
        // Only this socket: the folder also has the socket for emails.
        [`${insideEgress}/s`]: join(sockets, 's'),
        ...(await systemFiles(browser)),
      },
      writable: {},
      account,
      limits,
    })
    try {
      return await read(running)
    } finally {
      await running.cleanUp()
      await egress.close(owner)
    }
  }

  /** The output of the program: the picture, or why it took none. */
  async function read({ child, exited, kill, memoryKills }: SandboxedProcess): Promise<Picture> {
    const stop = () => void kill()
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limits.timeoutMs)])
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxOutput(limits)) chunks.push(chunk)
      else stop()
    })
    const reason = child.stderr ? firstLine(child.stderr) : ''
    const closed = new Promise((resolve) => child.once('close', resolve))
    const { code } = await exited.finally(() => signal.removeEventListener('abort', stop))
    // All that it wrote is read, once the last process with its output has ended.
    await kill()
    await closed
    const picture = code === 0 ? readPicture(Buffer.concat(chunks), limits) : null
    if (picture) return picture
    if (closing.signal.aborted) throw new PictureError('the server stops')
    if (signal.aborted) throw new PictureError('it took too long')
    if ((await memoryKills()) > 0) throw new PictureError('the page takes too much memory')
    throw new PictureError((await reason) || `the browser ended with ${code}`)
  }

  return {
    prepare,
    take: async (instance) =>
      queue.run(async () => {
        if (!ready || closing.signal.aborted) return null
        return photograph(ready, instance)
      }),
    async close() {
      closing.abort()
      // Waits for the picture that is being taken.
      await queue.run(async () => undefined)
    },
  }
}

/** Folders of /etc that the browser needs: fonts, and the settings of Debian's launcher. */
const settingFolders = ['/etc/fonts', '/etc/chromium.d']

/** The files that the browser needs in addition to /usr. */
async function systemFiles(browser: string): Promise<Record<string, string>> {
  const folder = dirname(browser)
  const exists = await Promise.all(settingFolders.map(isFolder))
  const folders = settingFolders.filter((_, i) => exists[i])
  if (!browser.startsWith('/usr/')) folders.push(folder)
  return Object.fromEntries(folders.map((each) => [each, each]))
}

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )

const maxReasonLength = 300

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  const all = await text(stream).catch(() => '')
  return (all.split('\n', 1)[0] ?? '').slice(0, maxReasonLength)
}

/** RFC 9649 §2.3: a RIFF container of the form WEBP. */
const isWebp = (picture: Buffer) =>
  picture.toString('latin1', 0, 4) === 'RIFF' && picture.toString('latin1', 8, 12) === 'WEBP'

const output = z.object({ large: z.string(), small: z.string() })

/** The pictures that the program printed; null for other output: a page may control the browser. */
function readPicture(printed: Buffer, { pictureBytes }: PictureLimits): Picture | null {
  const { data } = output.safeParse(parse(printed.toString('latin1')))
  if (!data) return null
  const [large, small] = [Buffer.from(data.large, 'base64'), Buffer.from(data.small, 'base64')]
  const isPicture = (each: Buffer) => each.length <= pictureBytes && isWebp(each)
  return isPicture(large) && isPicture(small) ? { large, small } : null
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
