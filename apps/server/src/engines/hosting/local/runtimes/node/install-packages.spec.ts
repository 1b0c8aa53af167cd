import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createArtifactLayout } from '../../../../../artifacts/artifact-layout.ts'
import { controlGroups } from '../../../../../testing/control-groups.ts'
import { createDataFolder } from '../../../../../testing/data-folder.ts'
import { hasDebianPackage } from '../../../../../testing/debian-package.ts'
import { deepFolderCode } from '../../../../../testing/deep-folder.ts'
import { type HostingWorld, startHostingWorld } from '../../../../../testing/hosting-world.ts'
import { hasNpmRegistry } from '../../../../../testing/npm-registry.ts'
import { pollOptions } from '../../../../../testing/until.ts'
import type { Instance } from '../../../engine.ts'
import { createLayout } from '../../files/layout.ts'
import { instance } from '../../fixtures/local-engine.fixture.ts'
import { createNoSandbox } from '../../sandbox/no-sandbox.ts'
import type { Sandbox, SandboxedProcess } from '../../sandbox/sandbox.ts'
import { defaultInstallLimits, installPackages } from './install-packages.ts'
import { findNodeHeaders } from './node-headers.ts'
import { artifactOf, serverOf } from './node-site.fixture.ts'

const canRun =
  process.platform === 'linux' &&
  (await hasDebianPackage('bwrap', 'bubblewrap')) &&
  process.getuid?.() === 0

const isOnline = await hasNpmRegistry()
if (!isOnline) process.stdout.write('Tests of npm ci are skipped: the registry is unreachable.\n')

const fixture = (name: string, folder = 'express-site') =>
  readFile(fileURLToPath(new URL(`../../fixtures/${folder}/${name}`, import.meta.url)), 'utf8')

/** Counts visits in SQLite. */
const shop = (greeting: string) => `
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync('/data/visits.db')
  database.exec('create table if not exists visits (time text)')
  require('express')()
    .get('/', (request, response) => response.send('up'))
    .get('/count', (request, response) => {
      database.exec("insert into visits values ('now')")
      response.send('${greeting}' + database.prepare('select count(*) as n from visits').get().n)
    })
    .listen(process.env.PORT)`

const shopFiles = async (greeting: string) => ({
  'package.json': await fixture('package.json'),
  'package-lock.json': await fixture('package-lock.json'),
  'app.js': shop(greeting),
})

const scripted = (postinstall: string) => ({
  'package.json': JSON.stringify({ main: 'app.js', scripts: { postinstall } }),
  'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { '': {} } }),
  'app.js': '',
})

const nobody = 65_534

const site = (artifact: string) => instance('shop', { runtime: 'node', artifact })

async function stage(world: HostingWorld, release: Instance) {
  const printed: string[] = []
  const problem = await world.engine.stage(release, {
    mayCreate: true,
    onOutput: (text) => printed.push(text),
  })
  return { problem, printed: printed.join('\n') }
}

const statOfExpress = (world: HostingWorld, artifact: string) =>
  stat(
    join(
      createArtifactLayout(world.dataDir)
        .artifact(artifact)
        .build(`node-${process.versions.modules}`),
      'node_modules/express/package.json',
    ),
  )

describe.skipIf(!canRun || !isOnline)('an app with Express and SQLite', () => {
  it('installs packages from the registry, and reuses them until the lock file changes', async () => {
    const world = await startHostingWorld()
    const first = await artifactOf(world, await shopFiles('first '))
    const { problem, printed } = await stage(world, site(first))
    expect({ problem, printed }).toMatchObject({
      problem: null,
      printed: expect.stringContaining('added '),
    })
    await world.applyUntilHealthy(site(first))
    const count = async () => (await world.visit('shop', '/count')).body
    expect([await count(), await count()]).toEqual(['first 1', 'first 2'])

    const second = await artifactOf(world, await shopFiles('second '))
    expect(await world.engine.needsInstall(site(second))).toBe(false)
    expect(await stage(world, site(second))).toEqual({ problem: null, printed: '' })
    expect((await statOfExpress(world, second)).ino).toBe((await statOfExpress(world, first)).ino)
    await world.engine.apply(site(second), { mayCreate: false })
    await expect.poll(count, pollOptions).toMatch(/^second /)

    const lock = JSON.parse(await fixture('package-lock.json'))
    lock.packages['node_modules/express'].hasInstallScript = true
    const changed = { ...(await shopFiles('third ')), 'package-lock.json': JSON.stringify(lock) }
    const third = site(await artifactOf(world, changed))
    expect(await world.engine.needsInstall(third)).toBe(true)
    expect(await stage(world, third)).toMatchObject({
      problem: null,
      printed: expect.stringContaining('added '),
    })
  })
})

const gallery = `
  const sharp = require('sharp')
  require('http').createServer(async (request, response) => {
    const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#0af' } })
    const { format, width, height } = await sharp(await picture.webp().toBuffer()).metadata()
    response.end(format + ' ' + width + ' x ' + height)
  }).listen(process.env.PORT)`

describe.skipIf(!canRun || !isOnline)('an app with sharp', () => {
  it('gets its native library from the packages for this machine', async () => {
    const world = await startHostingWorld()
    const files = {
      'package.json': await fixture('package.json', 'gallery-site'),
      'package-lock.json': await fixture('package-lock.json', 'gallery-site'),
      'app.js': gallery,
    }
    const release = site(await artifactOf(world, files))
    expect(await stage(world, release)).toMatchObject({ problem: null })
    await world.applyUntilHealthy(release)
    expect((await world.visit('shop', '/')).body).toBe('webp 64 x 48')
  })
})

const hasCompiler = ['g++', 'make', 'python3'].every((name) => existsSync(`/usr/bin/${name}`))
const canCompile = canRun && hasCompiler && (await findNodeHeaders()) !== null
if (!canCompile) process.stdout.write('Tests of native code are skipped: no compiler or headers.\n')

/** An app whose greeting is in C, which npm compiles because of its binding.gyp. */
const nativeFiles = {
  'package.json': JSON.stringify({ main: 'app.js' }),
  'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { '': {} } }),
  'binding.gyp': JSON.stringify({
    targets: [{ target_name: 'greeting', sources: ['greeting.c'] }],
  }),
  'greeting.c': `#include <node_api.h>
    NAPI_MODULE_INIT() {
      napi_value text;
      napi_create_string_utf8(env, "from C", NAPI_AUTO_LENGTH, &text);
      return text;
    }`,
  'app.js': serverOf("require('./build/Release/greeting.node')"),
}

describe.skipIf(!canCompile)('an app with native code', () => {
  it('is compiled with the headers of this Node, without a download', async () => {
    const world = await startHostingWorld()
    const release = site(await artifactOf(world, nativeFiles))
    expect(await stage(world, release)).toMatchObject({ problem: null })
    await world.applyUntilHealthy(release)
    expect((await world.visit('shop', '/')).body).toBe('from C')
  })
})

describe.skipIf(!canRun)('npm ci in the sandbox', () => {
  const failureOf = async (files: Record<string, string>, limits = {}) => {
    const world = await startHostingWorld({ nodeApps: { installLimits: limits } })
    return (await stage(world, site(await artifactOf(world, files)))).problem
  }

  it('fails with the last lines that it printed', async () => {
    const script = 'for n in $(seq 9000); do echo line $n; done; echo No compiler; exit 3'
    const problem = await failureOf(scripted(script))
    expect(problem).toMatchObject({
      failure: 'install_failed',
      output: expect.stringContaining('No compiler'),
    })
    expect(problem?.output?.length).toBeLessThanOrEqual(16_000)
    expect(problem?.output).not.toContain('line 1\n')
  })

  it('prints what the install script of a package prints', async () => {
    const files = {
      'package.json': JSON.stringify({ main: 'app.js', dependencies: { native: 'file:native' } }),
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: {
          '': { dependencies: { native: 'file:native' } },
          native: { version: '1.0.0', hasInstallScript: true },
          'node_modules/native': { resolved: 'native', link: true },
        },
      }),
      'app.js': '',
      'native/package.json': JSON.stringify({
        name: 'native',
        version: '1.0.0',
        scripts: { install: 'echo Compiling' },
      }),
    }
    const world = await startHostingWorld()
    const { printed } = await stage(world, site(await artifactOf(world, files)))
    expect(printed).toMatch(/^Compiling$/m)
  })

  it('ends at its time limit, with everything that it started', async () => {
    const endless = scripted('sleep 1000 & sleep 1000')
    await expect(failureOf(endless, { timeoutMs: 100 })).resolves.toMatchObject({
      failure: 'install_timed_out',
    })
  })

  it.each([
    ['for files that it stores', 'head -c 30000000 /dev/zero > /app/large'],
    [
      'for files that it deletes and keeps open',
      'exec 3> /app/large; rm /app/large; head -c 30000000 /dev/zero >&3',
    ],
  ])('ends at its size limit, %s', async (_what, command) => {
    const large = scripted(`${command}; sleep 1000`)
    await expect(failureOf(large, { folderBytes: 10_000_000 })).resolves.toMatchObject({
      failure: 'install_too_large',
    })
  })

  it('fails for files that it stores before it exits, without a check in between', async () => {
    const parts = [1, 2, 3].map((part) => `fallocate -l 6M /app/part${part}`)
    const limits = { folderBytes: 10_000_000 }
    await expect(failureOf(scripted(parts.join('; ')), limits)).resolves.toMatchObject({
      failure: 'install_too_large',
    })
  })

  it('fails for folders deeper than a path may be long, and leaves none of them', async () => {
    const world = await startHostingWorld()
    const files = { ...scripted('node deep.cjs'), 'deep.cjs': deepFolderCode }
    const release = site(await artifactOf(world, files))
    expect((await stage(world, release)).problem).toMatchObject({ failure: 'install_too_large' })
    const { folder } = createArtifactLayout(world.dataDir).artifact(release.artifact ?? '')
    expect((await readdir(folder)).filter((name) => name.startsWith('build-'))).toEqual([])
  })

  it('stores no file beyond its size limit', async () => {
    const large = scripted('fallocate -l 300M /app/large')
    await expect(failureOf(large, { folderBytes: 10_000_000 })).resolves.toMatchObject({
      failure: 'install_failed',
    })
  })

  it('ends at its memory limit', async () => {
    const hungry = scripted("node -e 'const all = []; for (;;) all.push(Buffer.alloc(4e6, 1))'")
    await expect(failureOf(hungry, { memoryBytes: 150e6 })).resolves.toMatchObject({
      failure: 'install_out_of_memory',
    })
  })

  /** A sleeping site, and its next release, whose `npm ci` runs until `finish` is called. */
  async function startInstall() {
    const world = await startHostingWorld({ sleepAfterMs: 1_000 })
    const script = 'while [ ! -e /app/finished ]; do sleep 0.1; done'
    const first = { 'package.json': '{"main":"app.js"}', 'app.js': serverOf("'first'") }
    const second = { ...scripted(script), 'app.js': serverOf("'second'") }
    const serving = site(await artifactOf(world, first))
    await world.applyUntilHealthy(serving)
    world.routes.set('shop.localhost', { key: 'shop', cluster: 'local', state: 'ready' })
    await expect.poll(async () => world.engine.count().asleep, pollOptions).toBe(1)
    const next = site(await artifactOf(world, second))
    const { folder } = createArtifactLayout(world.dataDir).artifact(next.artifact ?? '')
    const staged = world.engine.stage(next)
    const unfinishedFolder = async () =>
      (await readdir(folder)).find((name) => name.endsWith('.unfinished')) ?? ''
    const isCopied = async () => existsSync(join(folder, await unfinishedFolder(), 'app/app.js'))
    await expect.poll(isCopied, pollOptions).toBe(true)
    const finish = async () => writeFile(join(folder, await unfinishedFolder(), 'app/finished'), '')
    return { world, staged, next, unfinishedFolder, finish }
  }

  it('lets the site wake and sleep meanwhile', async () => {
    const { world, staged, next, finish } = await startInstall()
    expect((await world.visit('shop', '/')).body).toBe('first')
    await expect.poll(async () => world.engine.count().asleep, pollOptions).toBe(1)
    expect((await world.visit('shop', '/')).body).toBe('first')
    await finish()
    await expect(staged).resolves.toBeNull()
    await world.engine.apply(next, { mayCreate: false })
    const body = async () => (await world.visit('shop', '/')).body
    await expect.poll(body, pollOptions).toBe('second')
  })

  it('ends when its site is removed', async () => {
    const { world, staged, unfinishedFolder } = await startInstall()
    await world.engine.remove('shop')
    await expect(staged).resolves.toEqual({ failure: 'not_finished', output: '' })
    expect(await unfinishedFolder()).toBe('')
    await expect(world.engine.list()).resolves.toEqual([])
  })

  it('runs for two sites at once, and a removed site does not wait for its turn', async () => {
    const world = await startHostingWorld()
    const stageAt = async (key: string) => {
      const release = { ...scripted('sleep 1000'), 'key.txt': key }
      const artifact = await artifactOf(world, release)
      const app = instance(key, { runtime: 'node', artifact })
      return { key, staged: world.engine.stage(app, { mayCreate: true }) }
    }
    const installing = async () =>
      (await controlGroups()).filter((name) => /^turn-\d\.install-/.test(name)).length
    const first = [await stageAt('turn-1'), await stageAt('turn-2')]
    await expect.poll(installing, pollOptions).toBe(2)
    const last = await stageAt('turn-3')
    const isPrepared = () => existsSync(createLayout(world.dataDir).site('turn-3').settings)
    await expect.poll(isPrepared, pollOptions).toBe(true)
    // Waits for the site's lock: then the release waits for its turn.
    await world.engine.unstage(last.key)
    await world.engine.remove(last.key)
    await expect(last.staged).resolves.toMatchObject({ failure: 'not_finished' })
    expect(await installing()).toBe(2)
    for (const { key, staged } of first) {
      await world.engine.remove(key)
      await staged
    }
  })

  it('installs again for a release whose install script may read its files', async () => {
    const world = await startHostingWorld()
    const server =
      "require('node:http').createServer((q, s) => s.end(require('./made.json'))).listen(process.env.PORT)"
    const release = (text: string) =>
      artifactOf(world, {
        ...scripted('cp source.json made.json'),
        'source.json': JSON.stringify(text),
        'app.js': server,
      })
    const first = site(await release('first'))
    expect(await world.engine.needsInstall(first)).toBe(true)
    expect(await world.engine.needsInstall({ ...first, power: 'stopped' })).toBe(false)
    await world.applyUntilHealthy(first)
    expect(await world.engine.needsInstall(first)).toBe(false)
    const next = site(await release('second'))
    expect(await world.engine.needsInstall(next)).toBe(true)
    await expect(world.engine.stage(next)).resolves.toBeNull()
    await world.engine.apply(next, { mayCreate: false })
    await expect.poll(async () => (await world.visit('shop', '/')).body, pollOptions).toBe('second')
  })
})

/** A folder with the files of an app, and an empty one for its builds. */
async function createFolders(files: Record<string, string>) {
  const folder = await createDataFolder()
  const [source, builds] = [join(folder, 'source'), join(folder, 'builds')]
  for (const path of [source, builds]) await mkdir(path)
  for (const [name, text] of Object.entries(files)) await writeFile(join(source, name), text)
  return { folder, source, builds }
}

describe('npm ci without a sandbox', () => {
  /** Installs an app with this command in the place of npm. */
  async function installWith(
    command: readonly string[],
    change: (npm: SandboxedProcess) => Promise<SandboxedProcess>,
    signal = AbortSignal.timeout(defaultInstallLimits.timeoutMs),
  ) {
    const { folder, source, builds } = await createFolders({ 'package.json': '{}' })
    const noSandbox = createNoSandbox(join(folder, 'programs'))
    const sandbox: Sandbox = {
      ...noSandbox,
      start: async (program) => change(await noSandbox.start({ ...program, command })),
    }
    const target = join(builds, 'first')
    const install = { key: 'app', source, target, account: null, readable: {}, env: {} }
    return installPackages(sandbox, { ...install, limits: defaultInstallLimits, signal })
  }

  it('succeeds when npm exits before the server waits for it', async () => {
    const closed = async (npm: SandboxedProcess) => {
      await once(npm.child, 'close')
      return npm
    }
    await expect(installWith(['/bin/sh', '-c', 'exit 0'], closed)).resolves.toMatchObject({
      problem: null,
    })
  })

  it('rejects and ends npm when its limits cannot be checked', async () => {
    const npm = Promise.withResolvers<SandboxedProcess>()
    const unreadable = async (started: SandboxedProcess) => {
      npm.resolve(started)
      const processes = () => Promise.reject(new Error('cannot read the processes'))
      return { ...started, processes }
    }
    await expect(installWith(['/bin/sh', '-c', 'sleep 1000'], unreadable)).rejects.toThrow(
      'cannot read the processes',
    )
    await expect((await npm.promise).exited).resolves.toMatchObject({ signal: 'SIGKILL' })
  })

  it('ends an npm that was not in its group yet when the installation was aborted', async () => {
    let kills = 0
    const late = async (npm: SandboxedProcess) => ({
      ...npm,
      kill: async () => (++kills === 1 ? undefined : npm.kill()),
    })
    const aborted = AbortSignal.abort(new Error('the site was removed'))
    await expect(installWith(['/bin/sh', '-c', 'sleep 1000'], late, aborted)).rejects.toThrow(
      'the site was removed',
    )
    expect(kills).toBe(2)
  })

  it.skipIf(process.platform !== 'linux')(
    'installs, reuses and deletes packages for a server that is not root',
    async () => {
      const postinstall = 'mkdir -p node_modules/tool && touch node_modules/tool/index.js'
      const { source, builds } = await createFolders(scripted(postinstall))
      if (process.getuid?.() === 0) await chown(builds, nobody, nobody)
      const program = fileURLToPath(new URL('install-without-root.fixture.ts', import.meta.url))
      const { stdout } = await promisify(execFile)(process.execPath, [program, source, builds])
      expect(stdout).toBe('')
    },
  )
})
