import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { day } from '@slipway/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEntryWriter } from '../../artifacts/entry-writer.ts'
import { unpackTar } from '../../artifacts/unpack-tar.ts'
import { zipOf } from '../../testing/archives.ts'
import { createWorld, type World } from '../../testing/world.ts'
import * as archives from './release-archives.service.ts'

const limits = { unpackedBytes: 1e6, files: 100 }

describe('GET /release-archives/:artifact', () => {
  let world: World
  let artifact: string
  let folder: string
  beforeAll(async () => {
    // Nothing connects to a cluster before the engine starts.
    world = await createWorld({
      ENGINE: 'kubernetes',
      KUBERNETES_SERVICE_URL: 'http://console.internal:3000',
    })
    const zip = zipOf({ 'main.js': 'run()', 'lib/a.js': 'one' })
    artifact = (await world.ctx.artifacts.receive(Readable.from([zip]))).digest
    await world.ctx.artifacts.unpack(artifact)
    folder = await mkdtemp(join(tmpdir(), 'slipway-archive-'))
  })
  afterAll(async () => {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  })

  const get = async (url: string) => {
    const { pathname, search } = new URL(url)
    return world.app.server.app.inject({ url: `${pathname}${search}` })
  }

  it('sends the files of a release to the holder of its address', async () => {
    const { url, digest } = await archives.prepare(world.ctx, artifact)
    expect(new URL(url).origin).toBe('http://console.internal:3000')
    const { statusCode, rawPayload, headers } = await get(url)
    expect(statusCode).toBe(200)
    expect(headers['content-length']).toBe(String(rawPayload.length))
    expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(digest)

    const archive = join(folder, 'received.tar.gz')
    await writeFile(archive, rawPayload)
    const writer = createEntryWriter(join(folder, 'files'), limits)
    await unpackTar(archive, writer, limits)
    await writer.finish()
    expect(await readFile(join(folder, 'files/main.js'), 'utf8')).toBe('run()')
    expect(await readFile(join(folder, 'files/lib/a.js'), 'utf8')).toBe('one')
  })

  it('sends nothing without the signature, for another release, and after its end', async () => {
    const { url, until } = await archives.prepare(world.ctx, artifact)
    const forged = new URL(url)
    forged.searchParams.set('signature', '0'.repeat(64))
    const later = new URL(url)
    later.searchParams.set('until', String(until + day))
    for (const wrong of [
      forged.href,
      later.href,
      url.replace(artifact, '0'.repeat(64)),
      url.replace(artifact, '..%2f..%2fkeys'),
      url.replace(/\?.*/, ''),
    ])
      expect((await get(wrong)).statusCode).toBe(404)
    world.clock.forward(until - world.clock.now().getTime())
    expect((await get(url)).statusCode).toBe(404)
  })

  it('has one address for a day, which lasts for another one', async () => {
    const first = await archives.prepare(world.ctx, artifact)
    expect(first.until - world.clock.now().getTime()).toBeGreaterThan(day)
    expect(await archives.prepare(world.ctx, artifact)).toEqual(first)
    world.clock.forward(day)
    const next = await archives.prepare(world.ctx, artifact)
    expect(next.url).not.toBe(first.url)
    expect(next.digest).toBe(first.digest)
  })
})
