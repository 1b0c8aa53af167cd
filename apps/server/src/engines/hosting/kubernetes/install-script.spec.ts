import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../../root.ts'
import { defaultInstallLimits, type InstallLimits } from './objects/install-objects.ts'

const script = join(root, 'deploy/runtimes/node/install-packages.mjs')

async function namesIn(archive: Buffer) {
  const names: string[] = []
  const entries = extract()
  entries.on('entry', ({ name }, content, next) => {
    names.push(name)
    content.resume()
    content.on('end', next)
  })
  Readable.from([archive]).pipe(createGunzip()).pipe(entries)
  await once(entries, 'finish')
  return names
}

describe('the program that installs packages in a pod', () => {
  let service: Server
  let status = 204
  let received: { url: string; body: Buffer } | undefined
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-install-'))
    service = createServer(async (request, response) => {
      received = { url: request.url ?? '', body: await buffer(request) }
      response.writeHead(status).end()
    })
    service.listen(0, '127.0.0.1')
    await once(service, 'listening')
  })
  afterAll(async () => {
    service.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function install(
    postinstall: string,
    { limits, sent = '.' }: { limits?: Partial<InstallLimits>; sent?: string } = {},
  ) {
    received = undefined
    const base = await mkdtemp(join(folder, 'run-'))
    const [app, scratch] = [join(base, 'app'), join(base, 'scratch')]
    await Promise.all([app, scratch].map((path) => mkdir(path)))
    const lock = { lockfileVersion: 3, packages: { '': {} } }
    await writeFile(join(app, 'package.json'), JSON.stringify({ scripts: { postinstall } }))
    await writeFile(join(app, 'package-lock.json'), JSON.stringify(lock))
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/packages?signature=1`
    const task = { url, sent, limits: { ...defaultInstallLimits, ...limits } }
    const [taskFile, reportFile] = [join(base, 'install.json'), join(base, 'report')]
    await writeFile(taskFile, JSON.stringify(task))
    const child = spawn(process.execPath, [script, taskFile, reportFile], {
      cwd: app,
      env: { PATH: process.env.PATH, HOME: scratch, TMPDIR: scratch },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [output, , [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    const report = await readFile(reportFile, 'utf8').catch(() => 'null')
    return { code, output, report: JSON.parse(report) }
  }

  it('sends the app as its scripts have left it, and says whether it has native code', async () => {
    expect(await install('echo built && touch start.js')).toMatchObject({ code: 0, report: null })
    expect(received?.url).toBe('/packages?signature=1&native=0')
    const names = await namesIn(received?.body ?? Buffer.of())
    expect(names).toContain('./start.js')
    // A pod may not change the folder that it unpacks to.
    expect(names).not.toContain('./')
    await install('touch addon.node')
    expect(received?.url).toContain('native=1')
  })

  it('sends an empty folder for an app without packages', async () => {
    expect(await install('true', { sent: 'node_modules' })).toMatchObject({ code: 0 })
    const names = await namesIn(received?.body ?? Buffer.of())
    expect(names.every((name) => name.startsWith('./node_modules/'))).toBe(true)
  })

  it.each<[string, string, Partial<InstallLimits>, object]>([
    ['a script that fails', 'exit 3', {}, { failure: 'install_failed', detail: '3' }],
    ['the time limit', 'sleep 60', { seconds: 1 }, { failure: 'install_timed_out' }],
    [
      'the size limit',
      'head -c 2000000 /dev/zero >large',
      { bytes: 1e6 },
      { failure: 'install_too_large' },
    ],
    [
      'too many files',
      'for i in 1 2 3 4 5 6; do touch $i; done',
      { entries: 5 },
      { failure: 'install_too_large' },
    ],
    ['a program without memory', 'kill -9 $$', {}, { failure: 'install_out_of_memory' }],
  ])('reports %s, and sends nothing', async (_case, postinstall, limits, report) => {
    expect(await install(postinstall, { limits })).toMatchObject({ code: 1, report })
    expect(received).toBeUndefined()
  })

  it('succeeds when another pod has sent the packages, and fails without the service', async () => {
    status = 409
    expect(await install('true')).toMatchObject({ code: 0 })
    status = 500
    expect(await install('true')).toMatchObject({ code: 1, report: null })
  })
})
