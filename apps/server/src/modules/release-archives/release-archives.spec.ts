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
import { createPackageArchives } from './release-archives.packages.ts'
import * as archives from './release-archives.service.ts'

const limits = { unpackedBytes: 1e6, files: 100 }

describe('GET /release-archives/:artifact', () => {
  let world: World
  let artifact: string
  let folder: string
  beforeAll(async () => {
    // Nothing connects to a cluster before the engine starts.
    world = await createWorld({
      ENGINE: ['kubernetes'],
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

  it('sends the files of a release to a client with the signed URL', async () => {
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

  it('rejects a missing or forged signature, another release, and an expired URL', async () => {
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

  describe('with packages that a pod has installed', () => {
    const image = 'registry.example/node@sha256:1'
    const packages = () => createPackageArchives(() => world.ctx)
    const release = async (name: string) => {
      const zip = zipOf({ 'package.json': name })
      const { digest } = await world.ctx.artifacts.receive(Readable.from([zip]))
      await world.ctx.artifacts.unpack(digest)
      return digest
    }
    const put = async (url: string, body: string, native: '0' | '1' = '0') => {
      const { pathname, search } = new URL(url)
      const { statusCode } = await world.app.server.app.inject({
        method: 'PUT',
        url: `${pathname}${search}&native=${native}`,
        headers: { 'content-type': 'application/gzip' },
        body,
      })
      return statusCode
    }

    it('stores the packages once, and sends them to a client with the signed URL', async () => {
      const of = await release('once')
      expect(await packages().find(of, image)).toBeNull()
      const upload = await packages().uploadAddress(of, image)
      expect(await put(upload, 'packed')).toBe(204)
      const { url = '', digest } = (await packages().find(of, image)) ?? {}
      const { statusCode, rawPayload } = await get(url)
      expect([statusCode, String(rawPayload)]).toEqual([200, 'packed'])
      expect(digest).toBe(createHash('sha256').update('packed').digest('hex'))
      // Stored packages never change: other sites with the same files may run them.
      expect(await put(upload, 'other')).toBe(409)
      expect(await put(upload, 'other', '1')).toBe(409)
      expect(String((await get(url)).rawPayload)).toBe('packed')
    })

    it('rejects a forged signature, another release or purpose, and an expired URL', async () => {
      const of = await release('forged')
      const upload = await packages().uploadAddress(of, image)
      const otherRelease = await release('other')
      const ofFiles = (await archives.prepare(world.ctx, of)).url
      const path = (url: string) => url.replace(/(release-archives\/[0-9a-f]+)\?/, '$1/packages?')
      for (const wrong of [
        upload.replace(of, otherRelease),
        upload.replace(/signature=./, 'signature=_'),
        upload.replace('upload+packages', 'packages'),
        upload.replace(/packages-.{16}/, 'packages-..%2fx'),
        path(ofFiles),
        path(ofFiles.replace('?', '?part=upload+packages-0000000000000000&')),
      ])
        expect(await put(wrong, 'packed')).toBe(404)
      // An upload URL cannot be used to download.
      expect((await get(upload.replace('/packages?', '?'))).statusCode).toBe(404)
      expect(await packages().find(of, image)).toBeNull()
      expect(await packages().find(otherRelease, image)).toBeNull()
      const until = Number(new URL(upload).searchParams.get('until'))
      world.clock.forward(until - world.clock.now().getTime())
      expect(await put(upload, 'packed')).toBe(404)
    })

    it('receives one upload at a time', async () => {
      const of = await release('busy')
      const upload = await packages().uploadAddress(of, image)
      await world.ctx.locks.exclusively(`packages ${of}`, async () => {
        expect(await put(upload, 'packed')).toBe(409)
      })
      expect(await put(upload, 'packed')).toBe(204)
    })

    it('uses packages with native code only with the image that built them', async () => {
      const of = await release('native')
      expect(await put(await packages().uploadAddress(of, image), 'packed', '1')).toBe(204)
      expect(await packages().find(of, image)).not.toBeNull()
      expect(await packages().find(of, `${image}2`)).toBeNull()
    })

    it('sends the stored packages for another release with the same packages', async () => {
      const [first, second] = [await release('first'), await release('second')]
      expect(await packages().reuse(second, first, image)).toBe(false)
      await put(await packages().uploadAddress(first, image), 'shared')
      expect(await packages().reuse(second, first, image)).toBe(true)
      const { url = '', digest } = (await packages().find(second, image)) ?? {}
      expect(digest).toBe((await packages().find(first, image))?.digest)
      await world.ctx.artifacts.remove(first)
      expect(String((await get(url)).rawPayload)).toBe('shared')
    })
  })

  it('gives the same URL for a day, valid for at least a day longer', async () => {
    const first = await archives.prepare(world.ctx, artifact)
    expect(first.until - world.clock.now().getTime()).toBeGreaterThan(day)
    expect(await archives.prepare(world.ctx, artifact)).toEqual(first)
    world.clock.forward(day)
    const next = await archives.prepare(world.ctx, artifact)
    expect(next.url).not.toBe(first.url)
    expect(next.until).toBe(first.until + day)
    expect(next.digest).toBe(first.digest)
  })

  it('gives sites with different releases addresses that expire at different times', async () => {
    const zip = zipOf({ 'main.js': 'run another()' })
    const other = (await world.ctx.artifacts.receive(Readable.from([zip]))).digest
    await world.ctx.artifacts.unpack(other)
    const [first, second] = [artifact, other].map((each) => archives.prepare(world.ctx, each))
    expect((await first)?.until).not.toBe((await second)?.until)
  })
})
