import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { controlGroups } from '../../../../../testing/control-groups.ts'
import { hasDebianPackage } from '../../../../../testing/debian-package.ts'
import { type HostingWorld, startHostingWorld } from '../../../../../testing/hosting-world.ts'
import { pollOptions, until } from '../../../../../testing/until.ts'
import { createLayout } from '../../files/layout.ts'
import { instance } from '../../fixtures/local-engine.fixture.ts'
import { artifactOf } from './node-site.fixture.ts'

const isLinux = process.platform === 'linux'
const canRun =
  isLinux && (await hasDebianPackage('bwrap', 'bubblewrap')) && process.getuid?.() === 0

/** A program that runs the code of a request, as an attacker who owns a site can. */
const attacker = `
  const fs = require('node:fs'), net = require('node:net'), http = require('node:http')
  const cp = require('node:child_process')
  const connect = (options) => new Promise((resolve, reject) => {
    const socket = net.connect(options, () => { socket.destroy(); resolve('connected') })
    socket.on('error', (error) => reject(error.errors ? error.errors[0] : error))
  })
  const tunnel = (target) => new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: 3128, method: 'CONNECT', path: target })
    request.on('connect', (response, socket) => { socket.destroy(); resolve(response.statusCode) })
    request.on('response', (response) => resolve(response.statusCode))
    request.on('error', reject)
    request.end()
  })
  http.createServer(async (request, response) => {
    const code = decodeURIComponent(request.url.slice(1))
    if (code === '' || code === 'healthz') return response.end('up')
    try {
      const run = new Function('fs', 'connect', 'tunnel', 'cp', 'return (async () => (' + code + '))()')
      response.end(String(await run(fs, connect, tunnel, cp)))
    } catch (error) { response.end(error.cause?.code ?? error.code ?? error.message) }
  }).listen(process.env.PORT)`

const files = { 'package.json': '{"main":"attacker.js"}', 'attacker.js': attacker }

/** A number of a file of a site's control group, of version 2 or 1. */
async function countInGroup(key: string, controller: string, file: string, name: string) {
  const parents = ['slipway', `${controller}/slipway`].map((path) => join('/sys/fs/cgroup', path))
  const parent = parents.find((path) => existsSync(path)) ?? ''
  const group = (await readdir(parent)).find((each) => each.startsWith(`${key}.`)) ?? ''
  const lines = (await readFile(join(parent, group, file), 'utf8')).split('\n')
  return Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1])
}

describe.skipIf(!canRun)('a site whose program is an attacker', () => {
  async function attack(options: Parameters<typeof startHostingWorld>[0] = {}) {
    const world = await startHostingWorld(options)
    const site = instance('evil', { runtime: 'node', artifact: await artifactOf(world, files) })
    await world.applyUntilHealthy(site)
    const attempt = async (code: string) =>
      (await world.visit('evil', `/${encodeURIComponent(code)}`)).body
    return { world, site, attempt }
  }

  const victim = async (world: HostingWorld) => {
    await world.applyUntilHealthy(instance('victim'))
    return createLayout(world.dataDir).site('victim')
  }

  it("finds no other site's folder, settings or sockets", async () => {
    const { world, attempt } = await attack()
    const { folder, data, settings, socket, socketFolder } = await victim(world)
    for (const path of [folder, data, settings, socketFolder, world.dataDir])
      expect(await attempt(`fs.readdirSync(${JSON.stringify(path)})`)).toBe('ENOENT')
    expect(await attempt(`connect({ path: ${JSON.stringify(socket)} })`)).toBe('ENOENT')
    expect(await attempt("fs.readdirSync('/').sort()")).toBe(
      'app,bin,data,dev,etc,lib,lib64,proc,runtime,sbin,tmp,usr',
    )
    expect(await attempt("fs.readdirSync('/runtime').sort()")).toBe('bin,egress,npm,relay.cjs')
  })

  it("reaches no socket of the machine, such as the database's", async () => {
    const { world, attempt } = await attack()
    const path = join(world.dataDir, 'database')
    const server = createServer().listen(path)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    expect(await attempt(`connect({ path: ${JSON.stringify(path)} })`)).toBe('ENOENT')
    expect(await attempt(`connect({ path: '/run/docker.sock' })`)).toBe('ENOENT')
    // Abstract sockets belong to a network namespace, and the site has its own.
    const abstract = createServer().listen('\0slipway-test-database')
    onTestFinished(() => void abstract.close())
    await once(abstract, 'listening')
    expect(await attempt("connect({ path: '\\0slipway-test-database' })")).toBe('ECONNREFUSED')
  })

  it("sees neither the server's environment nor its processes", async () => {
    process.env.SECRET_OF_THE_SERVER = 'secret'
    const { attempt } = await attack()
    expect(await attempt('JSON.stringify(process.env)')).not.toContain('secret')
    expect(await attempt(`fs.readFileSync('/proc/${process.pid}/environ', 'utf8')`)).toBe('ENOENT')
    const commandLines = await attempt(
      "fs.readdirSync('/proc').filter(Number).map((id) => fs.readFileSync('/proc/' + id + '/cmdline', 'utf8')).join()",
    )
    expect(commandLines).not.toContain('vitest')
    expect(await attempt(`process.kill(${process.pid}, 'SIGKILL')`)).toBe('ESRCH')
  })

  it('reaches neither this machine nor private, link-local and metadata addresses', async () => {
    const { attempt } = await attack()
    const server = createHttpServer((_request, response) => response.end('secret')).listen(0)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    expect(await attempt(`connect({ host: '127.0.0.1', port: ${port} })`)).toBe('ECONNREFUSED')
    for (const host of ['10.0.0.1', '192.168.1.1', '169.254.169.254', '8.8.8.8'])
      expect(await attempt(`connect({ host: '${host}', port: 80 })`)).toBe('ENETUNREACH')

    const addresses = [
      '127.0.0.1',
      '127.1.2.3',
      '0.0.0.0',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '169.254.169.254',
      '224.0.0.1',
      '255.255.255.255',
      '[::1]',
      '[::]',
      '[fd00::1]',
      '[fe80::1]',
      '[ff02::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:a9fe:a9fe]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      // Other spellings of 127.0.0.1 that resolvers accept, and a name that leads there.
      '2130706433',
      '0x7f.1',
      '127.1',
      'localhost',
    ]
    for (const host of addresses) {
      expect(`${host} ${await attempt(`tunnel('${host}:${port}')`)}`).toMatch(/ (403|502)$/)
      const plain = await attempt(
        `fetch('http://${host}:${port}/').then((r) => r.status + ' ' + r.url)`,
      )
      expect(plain).not.toMatch(/^200/)
    }
    expect(await attempt("tunnel('example.com:25')")).toMatch(/403|502/)
    for (const target of ['', 'x', '127.0.0.1', ':80', '127.0.0.1:99999', 'a:b@127.0.0.1:80'])
      expect(await attempt(`tunnel('${target}')`)).not.toBe('200')
  })

  it('calls itself up to a limit, and reaches no other site as it reaches itself', async () => {
    const { world, site, attempt } = await attack({ nameServers: ['127.0.0.1:9'] })
    await victim(world)
    // Node connects to names below localhost without the proxy.
    const hosts = [...site.hosts, 'evil.example']
    await world.applyUntilHealthy({ ...site, hosts })
    world.routes.set('victim.example', { key: 'victim', cluster: 'local', state: 'ready' })
    const attackerUrl = 'http://evil.example'
    expect(await attempt(`fetch('${attackerUrl}/healthz').then((r) => r.text())`)).toBe('up')
    expect(await attempt(`fetch('http://victim.example/').then((r) => r.text())`)).toContain(
      'victim.example has no address',
    )
    // Each call makes another call, and returns the response to that.
    const again = `fetch('${attackerUrl}/' + encodeURIComponent(globalThis.again)).then((r) => r.text())`
    await attempt(`globalThis.again = ${JSON.stringify(again)}`)
    expect(await attempt('eval(globalThis.again)')).toContain(
      'calls itself at most 64 times at once',
    )
    expect((await world.visit('victim', '/healthz')).status).toBe(200)
  })

  it('is not led to this machine by a redirect, though the first address is allowed', async () => {
    const secret = createHttpServer((_request, response) => response.end('secret')).listen(0)
    const redirect = createHttpServer((_request, response) => {
      const { port } = secret.address() as { port: number }
      response.writeHead(302, { location: `http://127.0.0.3:${port}/` }).end()
    }).listen(0)
    onTestFinished(() => void [secret.close(), redirect.close()])
    await Promise.all([once(secret, 'listening'), once(redirect, 'listening')])
    const allowed = (redirect.address() as { port: number }).port
    const { attempt } = await attack({ mayConnect: (_address, port) => port === allowed })
    const followed = await attempt(
      `fetch('http://127.0.0.2:${allowed}/').then(async (r) => r.status + await r.text())`,
    )
    expect(followed).not.toContain('secret')
    expect(followed).toMatch(/^403/)
  })

  it('follows no symlink out of its folder, and the server follows no symlink of the site', async () => {
    const { world, site, attempt } = await attack()
    const { settings } = await victim(world)
    await attempt(`fs.symlinkSync(${JSON.stringify(settings)}, '/data/settings')`)
    await attempt("fs.symlinkSync('/etc', '/data/etc')")
    expect(await attempt("fs.readFileSync('/data/settings')")).toBe('ENOENT')
    expect(await attempt("fs.readFileSync('/data/etc/shadow')")).toBe('ENOENT')
    const before = (await stat('/etc/passwd')).uid
    await world.engine.apply({ ...site, restarts: 1 }, { mayCreate: false })
    expect((await stat('/etc/passwd')).uid).toBe(before)
  })

  it('cannot become root, mount, or make namespaces', async () => {
    const { attempt } = await attack()
    const shell = (command: string) =>
      attempt(`cp.spawnSync('sh', ['-c', ${JSON.stringify(command)}]).status`)
    expect(await shell('true')).toBe('0')
    for (const command of ['mount -t tmpfs none /data', 'unshare -U true', 'chroot / true'])
      expect(await shell(command)).not.toBe('0')
    expect(await attempt('process.setuid(0)')).toMatch(/EINVAL|EPERM/)
  })

  it('forks up to its limit and affects no other site', async () => {
    const { world, attempt } = await attack()
    await victim(world)
    const visit = async () => (await world.visit('victim', '/healthz')).status
    await attempt("cp.spawn('sh', ['-c', 'f() { f | f & }; f'], { detached: true }).pid")
    await until(async () => {
      expect(await visit()).toBe(200)
      return (await countInGroup('evil', 'pids', 'pids.events', 'max')) > 0
    })
    let isRunning = true
    const removal = world.engine.remove('evil').finally(() => {
      isRunning = false
    })
    while (isRunning) expect(await visit()).toBe(200)
    await removal
    expect((await controlGroups()).filter((name) => name.startsWith('evil.'))).toEqual([])
  })

  it('is limited to its share of the processors, and another site responds meanwhile', async () => {
    const { world, attempt } = await attack()
    await victim(world)
    // More programs than the limit of one processor can run.
    for (let count = 0; count < 4; count++)
      await attempt("cp.spawn(process.execPath, ['-e', 'for (;;);'], { detached: true }).pid")
    await until(async () => {
      expect((await world.visit('victim', '/healthz')).status).toBe(200)
      return (await countInGroup('evil', 'cpu', 'cpu.stat', 'nr_throttled')) > 0
    })
  })

  it('is ended when it takes too much memory, and starts again', async () => {
    const { world, attempt } = await attack()
    const start = await world.pid('evil')
    await attempt("(() => { const all = []; for (;;) all.push(Buffer.alloc(2 ** 22, 'x')) })()")
    await expect.poll(() => world.pid('evil').catch(() => start), pollOptions).not.toBe(start)
  })
})
