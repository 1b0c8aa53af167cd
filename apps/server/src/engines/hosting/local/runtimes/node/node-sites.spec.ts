import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLogs } from '../../../../../logs/logs.ts'
import { controlGroups } from '../../../../../testing/control-groups.ts'
import { createDataFolder } from '../../../../../testing/data-folder.ts'
import { hasDebianPackage } from '../../../../../testing/debian-package.ts'
import { startHostingWorld } from '../../../../../testing/hosting-world.ts'
import { createLogBook } from '../../../../../testing/log-book.ts'
import { isAlive } from '../../../../../testing/processes.ts'
import { sendSteadily } from '../../../../../testing/steady-requests.ts'
import { pollOptions, until } from '../../../../../testing/until.ts'
import { createLayout } from '../../files/layout.ts'
import { applyAndKill, instance } from '../../fixtures/local-engine.fixture.ts'
import { readProcessRecord } from '../../process/process-record.ts'
import { findCgroups } from '../../sandbox/cgroup.ts'
import { artifactOf, serverOf } from './node-site.fixture.ts'

const isLinux = process.platform === 'linux'
const isInstalled = isLinux && (await hasDebianPackage('bwrap', 'bubblewrap'))
const canRun = isInstalled && process.getuid?.() === 0

const packageJson = JSON.stringify({ scripts: { start: 'node server.js' } })

describe.skipIf(!canRun)('a Node site', () => {
  it('responds at its address, as its own user, from a read-only folder', async () => {
    const world = await startHostingWorld()
    const artifact = await artifactOf(world, {
      'package.json': packageJson,
      'server.js': serverOf(
        "[process.getuid(), process.cwd(), require('os').userInfo().username, process.env.HOME, request.socket.remoteAddress]",
      ),
    })
    await world.applyUntilHealthy(instance('app', { runtime: 'node', artifact }))
    expect((await world.visit('app', '/')).body).toBe('1000,/app,site,/data,::ffff:127.0.0.1')
  })

  it('lets visits wait between its first release and the switch to its process', async () => {
    const world = await startHostingWorld()
    const artifact = await artifactOf(world, {
      'package.json': packageJson,
      'server.js': serverOf("'open'"),
    })
    const app = instance('app', { runtime: 'node', artifact })
    await expect(world.engine.stage(app, { mayCreate: true })).resolves.toBeNull()
    const woken = world.engine.wake('app')
    await world.engine.apply(app, { mayCreate: true })
    await expect(woken).resolves.toBe('awake')
    await expect(world.engine.wake('other')).resolves.toBe('not_running')
  })

  it('is healthy though its page takes three seconds, unless the check waits less', async () => {
    const world = await startHostingWorld()
    const artifact = await artifactOf(world, {
      'package.json': packageJson,
      'server.js':
        "require('http').createServer((q, s) => setTimeout(() => s.end('slow'), 3000)).listen(process.env.PORT)",
    })
    const app = instance('app', { runtime: 'node', artifact })
    await expect(world.engine.stage(app, { mayCreate: true })).resolves.toBeNull()
    await world.applyUntilHealthy(app)
    await expect(world.engine.isHealthy(app, 100)).resolves.toBe(false)
  })

  it('keeps what it writes to /data over releases', async () => {
    const world = await startHostingWorld()
    const append = "require('fs').appendFileSync('/data/starts', 'x');"
    const read = "require('fs').readFileSync('/data/starts')"
    const release = (name: string) =>
      artifactOf(world, {
        'package.json': packageJson,
        'server.js': serverOf(`'${name}' + ${read}`, append),
      })
    const app = instance('app', { runtime: 'node', artifact: await release('first ') })
    await world.applyUntilHealthy(app)
    expect((await world.visit('app', '/')).body).toBe('first x')
    await world.engine.apply({ ...app, artifact: await release('second ') }, { mayCreate: false })
    await expect
      .poll(async () => (await world.visit('app', '/')).body, pollOptions)
      .toBe('second xx')
  })

  it('runs its main file, gets its variables, and writes nothing but /data and /tmp', async () => {
    const world = await startHostingWorld()
    const write = (path: string) =>
      `(() => { try { require('fs').writeFileSync('${path}', 'x'); return 'written' } catch (e) { return e.code } })()`
    const artifact = await artifactOf(world, {
      'package.json': JSON.stringify({ main: 'src/app' }),
      'src/app.js': serverOf(
        `[process.env.GREETING, ${['/app/x', '/x', '/usr/x', '/data/x', '/tmp/x'].map(write)}]`,
      ),
    })
    const environment = { GREETING: 'Hello' }
    await world.applyUntilHealthy(instance('app', { runtime: 'node', artifact, environment }))
    expect((await world.visit('app', '/')).body).toBe('Hello,EROFS,EROFS,EROFS,written,written')
  })

  it('fails no request while a release replaces another at 100 requests a second', async () => {
    const world = await startHostingWorld()
    const release = (name: string) =>
      artifactOf(world, { 'package.json': packageJson, 'server.js': serverOf(`'${name}'`) })
    const app = instance('app', { runtime: 'node', artifact: await release('first') })
    await world.applyUntilHealthy(app)
    const next = { ...app, artifact: await release('second') }
    const endLoad = sendSteadily(10, async () => String((await world.visit('app', '/')).status))
    await expect(world.engine.stage(next)).resolves.toBeNull()
    await world.engine.apply(next, { mayCreate: false })
    await expect.poll(async () => (await world.visit('app', '/')).body, pollOptions).toBe('second')
    const replaced = () => world.lines.some(({ message }) => message === 'A replaced site ended')
    await expect.poll(replaced, pollOptions).toBe(true)
    expect([...new Set(await endLoad())]).toEqual(['200'])
  })

  it('stops without a line of the shell in its log', async () => {
    const dataDir = await createDataFolder()
    const logs = createLogs(dataDir, createLogBook().log)
    const world = await startHostingWorld({ dataDir, output: logs })
    const files = {
      'package.json': packageJson,
      'server.js': serverOf('1', "console.log('Opens');"),
    }
    const app = instance('app', { runtime: 'node', artifact: await artifactOf(world, files) })
    const printed = async () => {
      await logs.flush()
      return (await logs.page('app', 'site', { limit: 10 })).map(({ text }) => text)
    }
    await world.applyUntilHealthy(app)
    await until(async () => (await printed()).length === 1)
    await world.engine.apply({ ...app, power: 'stopped' }, { mayCreate: false })
    // The last output of the shell precedes the output of the next process.
    await world.applyUntilHealthy(app)
    await until(async () => (await printed()).at(-1) === 'Opens' && (await printed()).length > 1)
    await expect(printed()).resolves.toEqual(['Opens', 'Opens'])
  })

  it.each(['MODE=test node server.js', 'true && node server.js', '. ./start.sh'])(
    'starts by a script that needs a shell: %s',
    async (start) => {
      const world = await startHostingWorld()
      const artifact = await artifactOf(world, {
        'package.json': JSON.stringify({ scripts: { start } }),
        'server.js': serverOf("'open'"),
        'start.sh': 'node server.js',
      })
      await world.applyUntilHealthy(instance('app', { runtime: 'node', artifact }))
      expect((await world.visit('app', '/')).body).toBe('open')
    },
  )

  it('survives a killed server, and is adopted by the next one', async () => {
    const dataDir = await createDataFolder()
    const artifact = await artifactOf(
      { dataDir },
      { 'package.json': packageJson, 'server.js': serverOf("'here'") },
    )
    const app = instance('app', { runtime: 'node', artifact })
    const pid = await applyAndKill(dataDir, app)
    const world = await startHostingWorld({ dataDir })
    await world.applyUntilHealthy(app)
    expect((await world.visit('app', '/')).body).toBe('here')
    const record = await readProcessRecord(createLayout(dataDir).site('app').process)
    expect(record?.pid).toBe(pid)
    await world.engine.remove('app')
    await expect(isAlive(pid)).resolves.toBe(false)
  })

  it('keeps its control group, but not that of a launch in which the server was killed', async () => {
    const dataDir = await createDataFolder()
    const artifact = await artifactOf(
      { dataDir },
      { 'package.json': packageJson, 'server.js': serverOf("'here'") },
    )
    const killed = instance('killed', { runtime: 'node', artifact })
    await applyAndKill(dataDir, killed)
    const groups = async () =>
      (await controlGroups()).filter((name) => name.startsWith('killed.')).sort()
    const serving = await groups()
    const socketName = '0badcafe'
    const cgroups = await findCgroups()
    await writeFile(join(createLayout(dataDir).site('killed').socketFolder, socketName), '')
    await cgroups?.create(`killed.${socketName}`, {
      memoryBytes: 2 ** 25,
      cpus: 1,
      processes: 16,
    })
    expect(await groups()).toHaveLength(2)
    const world = await startHostingWorld({ dataDir })
    await world.applyUntilHealthy(killed)
    expect(await groups()).toEqual(serving)
  })
})
