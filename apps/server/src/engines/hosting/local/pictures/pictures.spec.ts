import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ArchiveFiles } from '../../../../testing/archives.ts'
import { controlGroups } from '../../../../testing/control-groups.ts'
import { hasDebianPackage } from '../../../../testing/debian-package.ts'
import { createHostingWorld, startHostingWorld } from '../../../../testing/hosting-world.ts'
import { processesOf } from '../../../../testing/processes.ts'
import { PictureError } from '../../engine.ts'
import { createLayout } from '../files/layout.ts'
import { instance } from '../fixtures/local-engine.fixture.ts'
import { artifactOf } from '../runtimes/node/node-site.fixture.ts'
import { findCgroups } from '../sandbox/cgroup.ts'
import { findBrowser } from './find-browser.ts'
import type { PictureLimits } from './pictures.ts'

const canRun =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  (await hasDebianPackage('bwrap', 'bubblewrap')) &&
  ((await findBrowser(undefined)) !== null ||
    (await hasDebianPackage('chromium-headless-shell', 'chromium-headless-shell')))

const color = (name: string) => `<!doctype html><body style="background:${name}">`

const groups = async (dataDir: string) => {
  const name = createLayout(dataDir).pictureGroup
  return (await controlGroups()).filter((each) => each === name)
}

/** An engine that takes pictures of static sites. */
async function startPictureWorld(limits: Partial<PictureLimits> = { timeoutMs: 50_000 }) {
  // No name server runs at this address, so look-ups fail at once.
  const world = await startHostingWorld({ pictures: { limits }, nameServers: ['127.0.0.1:9'] })
  async function pictureOf(page: string | ArchiveFiles) {
    const files = typeof page === 'string' ? { 'index.html': page } : page
    const artifact = await artifactOf(world, files)
    const site = instance('shop', { runtime: 'static', artifact })
    world.routes.set('shop.localhost', { key: 'shop', cluster: 'local', state: 'ready', artifact })
    return world.engine.takePicture(site)
  }
  return { ...world, pictureOf }
}

describe.skipIf(!canRun)('a picture of a site', { timeout: 60_000 }, () => {
  it('is WebP of 1280 x 800 pixels with what the first page shows', async () => {
    const { pictureOf, dataDir } = await startPictureWorld()
    const green = await pictureOf(color('green'))
    const drawn = await pictureOf({
      'index.html': `${color('red')}<link rel="stylesheet" href="/site.css"><script src="/site.js"></script>`,
      'site.css': 'html, body { width: 1280px; height: 800px; margin: 0; overflow: scroll }',
      'site.js': `const isOurs = navigator.userAgent.endsWith('Slipway-Health-Check')
        if (innerWidth === 1280 && innerHeight === 800 && isOurs) document.body.style.background = 'green'`,
    })
    for (const picture of [green?.large, green?.small])
      expect(picture?.toString('latin1', 0, 4)).toBe('RIFF')
    expect(green?.small.length).toBeLessThan(green?.large.length ?? 0)
    expect(drawn).toEqual(green)
    const red = await pictureOf(color('red'))
    expect(red?.large).not.toEqual(green?.large)
    expect(red?.small).not.toEqual(green?.small)
    expect(await groups(dataDir)).toEqual([])
  })
})

describe.skipIf(!canRun)('a hostile page', { timeout: 60_000 }, () => {
  it('reaches neither this machine nor private and metadata addresses', async () => {
    const { pictureOf } = await startPictureWorld()
    let visits = 0
    const server = createServer((_request, response) => {
      visits++
      response.setHeader('Access-Control-Allow-Origin', '*').end('secret')
    }).listen(0)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const addresses = [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      // The site's own name leads to the gateway at every port.
      `http://shop.localhost:${port}/nothing`,
      `http://other.localhost:${port}/`,
      'http://127.0.0.1:3128/',
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'file:///etc/passwd',
    ]
    const script = `Promise.all(${JSON.stringify(addresses)}.map((url) =>
      fetch(url).then(async (response) => response.ok && (await response.text()).includes('secret'), () => false)
    )).then((reached) => { document.body.style.background = reached.some(Boolean) ? 'red' : 'green' })`
    const picture = await pictureOf(`${color('white')}<script>${script}</script>`)
    expect(picture).toEqual(await pictureOf(color('green')))
    expect(visits).toBe(0)
  })

  it('is shown although it opens dialogs, a print preview, a download and a popup', async () => {
    const { pictureOf, dataDir } = await startPictureWorld()
    const script = `onload = () => {
      alert('x'); confirm('x'); prompt('x'); print(); open('/'); open('/file.bin')
      location.href = '/file.bin'
      document.body.style.background = 'green'
    }`
    const picture = await pictureOf({
      'index.html': `${color('white')}<script>${script}</script>`,
      'file.bin': 'x'.repeat(1e6),
      _headers: '/file.bin\n  Content-Disposition: attachment\n',
    })
    expect(picture).toEqual(await pictureOf(color('green')))
    expect(await groups(dataDir)).toEqual([])
  })

  it('a page that never stops loading is shown as far as it has loaded', async () => {
    const { pictureOf } = await startPictureWorld()
    const script = 'setInterval(() => fetch("/?" + Math.random()), 20)'
    const picture = await pictureOf(`${color('green')}<script>${script}</script>`)
    expect(picture).toEqual(await pictureOf(color('green')))
  })

  it.each([
    ['computes without end', 'for (;;);'],
    ['takes all memory', 'const all = []; for (;;) all.push(new Uint8Array(2 ** 24).fill(1))'],
    [
      'starts workers without end',
      'for (;;) new Worker(URL.createObjectURL(new Blob(["for (;;);"])))',
    ],
  ])('a page that %s gets no picture and leaves nothing', async (_what, script) => {
    const { pictureOf, dataDir } = await startPictureWorld({ timeoutMs: 6_000 })
    const attempt = pictureOf(`${color('red')}<script>${script}</script>`)
    await expect(attempt).rejects.toThrow(PictureError)
    expect(await groups(dataDir)).toEqual([])
    expect(await processesOf(dataDir)).toEqual([])
  })
})

describe.skipIf(!canRun)('pictures', { timeout: 60_000 }, () => {
  it('are not taken of a site that responds with an error; the next site gets one', async () => {
    const { pictureOf } = await startPictureWorld()
    await expect(pictureOf({ 'other.html': 'x' })).rejects.toThrow('the site responds with 404')
    expect(await pictureOf(color('green'))).not.toBeNull()
  })

  it('that a killed server was taking are ended by the next start', async () => {
    const world = await createHostingWorld({ pictures: {} })
    const { pictureGroup } = createLayout(world.dataDir)
    const cgroups = await findCgroups()
    const group = await cgroups?.create(pictureGroup, {
      memoryBytes: 2 ** 25,
      cpus: 1,
      processes: 16,
    })
    const join = group?.joinFiles.map((file) => `echo 0 > ${file}`).join(' && ')
    const orphan = spawn('sh', ['-c', `${join} && echo joined && exec sleep 600`])
    onTestFinished(() => void orphan.kill('SIGKILL'))
    await once(orphan.stdout, 'data')
    const exited = once(orphan, 'exit')
    await world.start()
    expect(await exited).toEqual([null, 'SIGKILL'])
    expect(await groups(world.dataDir)).toEqual([])
  })
})

describe('a machine without Chromium', () => {
  it.each([
    ['off', []],
    [
      '/nonexistent/chromium',
      ['No pictures of sites are taken: no Chromium was found (PICTURES_BROWSER)'],
    ],
  ])('takes no pictures with PICTURES_BROWSER=%s, and logs %j', async (browser, expected) => {
    const world = await startHostingWorld({ pictures: { browser } })
    const site = instance('shop', { runtime: 'static' })
    expect(await world.engine.takePicture(site)).toBeNull()
    const messages = world.lines.map(({ message }) => message)
    expect(messages.filter((message) => message.startsWith('No pictures'))).toEqual(expected)
  })
})
