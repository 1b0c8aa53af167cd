import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import { limits } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { tarOf, zipOf } from '../testing/archives.ts'
import { createDataFolder } from '../testing/data-folder.ts'
import { createArtifactStore } from './artifact-store.ts'

const megabyte = 1_000_000
/** The default of RELEASE_MAX_MB. */
const archiveBytes = 200 * megabyte

/** A store, by default with the product's limits, and a function that lists unfinished uploads. */
async function createStore(
  unpackedBytes = archiveBytes * limits.releaseUnpackedFactor,
  files: number = limits.releaseFilesMax,
) {
  const folder = await createDataFolder()
  const store = createArtifactStore(folder, {
    archiveBytes,
    unpackedBytes,
    files,
  })
  return { store, incoming: () => readdir(join(folder, 'artifacts/incoming')) }
}

/** A stream of zero bytes, in chunks as large as a socket's. */
const upload = (bytes: number) => {
  const chunk = Buffer.alloc(64 * 1024)
  return Readable.from(
    (function* () {
      for (let sent = 0; sent < bytes; sent += chunk.length)
        yield chunk.subarray(0, Math.min(chunk.length, bytes - sent))
    })(),
  )
}

/** Where the central directory of a zip begins, and how long it is (APPNOTE 4.3.16). */
function centralDirectory(zip: Buffer) {
  const end = zip.length - 22
  return { start: zip.readUInt32LE(end + 16), bytes: zip.readUInt32LE(end + 12), end }
}

/** A zip whose entries all have the content of the first one, which is stored once. */
function overlappingZip(content: Buffer, entries: number) {
  const zip = zipOf({ '00000': content })
  const { start, bytes, end } = centralDirectory(zip)
  const records = Array.from({ length: entries }, (_, index) => {
    const record = Buffer.from(zip.subarray(start, start + bytes))
    // The name follows the 46 bytes of the record (APPNOTE 4.3.12).
    record.write(String(index).padStart(5, '0'), 46)
    return record
  })
  const tail = Buffer.from(zip.subarray(end))
  tail.writeUInt16LE(entries, 8)
  tail.writeUInt16LE(entries, 10)
  tail.writeUInt32LE(entries * bytes, 12)
  return Buffer.concat([zip.subarray(0, start), ...records, tail])
}

/** A stored, non-final deflate block (RFC 1951 §3.2.4). */
function storedBlock(content: Buffer) {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(content.length, 1)
  head.writeUInt16LE(0xffff - content.length, 3)
  return Buffer.concat([head, content])
}

/**
 * A zip whose entries all end with the content, which is stored once: each entry begins with a
 * block that quotes the header of the next one.
 */
function quotingZip(content: Buffer, entries: number) {
  const records: Buffer[] = []
  let unpacked = content
  let packed: Buffer = deflateRawSync(content)
  let tail = Buffer.alloc(0)
  let zip = packed
  for (let index = entries - 1; index >= 0; index--) {
    const plain = zipOf({ [String(index).padStart(5, '0')]: unpacked })
    const { start, bytes, end } = centralDirectory(plain)
    // 30 bytes and the name (APPNOTE 4.3.7).
    const header = Buffer.from(plain.subarray(0, 35))
    header.writeUInt32LE(packed.length, 18)
    const record = Buffer.from(plain.subarray(start, start + bytes))
    record.writeUInt32LE(packed.length, 20)
    record.writeUInt32LE(index * storedBlock(header).length, 42)
    records.unshift(record)
    zip = Buffer.concat([header, packed])
    packed = Buffer.concat([storedBlock(header), packed])
    unpacked = Buffer.concat([header, unpacked])
    tail = Buffer.from(plain.subarray(end))
  }
  const directory = Buffer.concat(records)
  tail.writeUInt16LE(entries, 8)
  tail.writeUInt16LE(entries, 10)
  tail.writeUInt32LE(directory.length, 12)
  tail.writeUInt32LE(zip.length, 16)
  return Buffer.concat([zip, directory, tail])
}

describe('an archive of 200 MB', () => {
  it('is accepted, and one of 200 MB and a byte is rejected and leaves no file', async () => {
    const { store, incoming } = await createStore()
    await expect(store.receive(upload(archiveBytes + 1))).rejects.toThrow('too_large')
    expect(await incoming()).toEqual([])
    expect((await store.receive(upload(archiveBytes))).bytes).toBe(archiveBytes)
  })
})

describe('an archive of 50,001 files', () => {
  it('is rejected before any of them is written', async () => {
    const { store, incoming } = await createStore()
    const archive = overlappingZip(Buffer.from('x'), limits.releaseFilesMax + 1)
    const { digest, endReservation } = await store.receive(Readable.from([archive]))
    await endReservation()
    await expect(store.unpack(digest)).rejects.toThrow('too_many_files')
    expect(await store.list()).toEqual([])
    expect(await incoming()).toEqual([])
  })
})

describe('an archive that unpacks to far more than its size', () => {
  it('is rejected once the unpacked bytes reach the limit: one file of zeros', async () => {
    const { store } = await createStore(10 * megabyte)
    const archive = zipOf({ 'index.html': Buffer.alloc(100 * megabyte) })
    expect(archive.length).toBeLessThan(megabyte)
    const { digest } = await store.receive(Readable.from([archive]))
    await expect(store.unpack(digest)).rejects.toThrow('too_large_unpacked')
    expect(await store.list()).toEqual([])
  })

  it('is rejected once the unpacked bytes reach the limit: many entries with the same content', async () => {
    const { store } = await createStore(10 * megabyte)
    const archive = overlappingZip(Buffer.alloc(megabyte), 20_000)
    // 20 GB in little more than a megabyte.
    expect(archive.length).toBeLessThan(2 * megabyte)
    const { digest } = await store.receive(Readable.from([archive]))
    await expect(store.unpack(digest)).rejects.toThrow('too_large_unpacked')
    expect(await store.list()).toEqual([])
  })

  it('is rejected once the unpacked bytes reach the limit: entries that quote the header of the next', async () => {
    const { store } = await createStore(10 * megabyte)
    const small = await store.receive(Readable.from([quotingZip(Buffer.alloc(megabyte), 3)]))
    expect((await store.unpack(small.digest)).size).toBe(3)
    // 50 MB.
    const archive = quotingZip(Buffer.alloc(megabyte), 50)
    expect(archive.length).toBeLessThan(10_000)
    const { digest } = await store.receive(Readable.from([archive]))
    await expect(store.unpack(digest)).rejects.toThrow('too_large_unpacked')
    expect(await store.list()).toEqual([small.digest])
  })

  it.each([
    [
      'a file that the artifact omits',
      (zeros: Buffer) => tarOf({ 'index.html': 'x', '.DS_Store': zeros }),
    ],
    [
      'zeros after its end',
      async (zeros: Buffer) =>
        gzipSync(Buffer.concat([gunzipSync(await tarOf({ 'index.html': 'x' })), zeros])),
    ],
  ])('is rejected once the decompressed bytes reach the limit: %s', async (_, archiveWith) => {
    const { store } = await createStore(10 * megabyte, 100)
    const archive = await archiveWith(Buffer.alloc(20 * megabyte))
    const { digest } = await store.receive(Readable.from([archive]))
    await expect(store.unpack(digest)).rejects.toThrow('too_large_unpacked')
    expect(await store.list()).toEqual([])
  })

  it('unpacks only the outermost of nested zips (42.zip nests five)', async () => {
    const { store } = await createStore(10 * megabyte)
    let archive = zipOf({ '0.bin': Buffer.alloc(megabyte) })
    for (let level = 0; level < 5; level++)
      archive = zipOf(
        Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index}.zip`, archive])),
      )
    const { digest } = await store.receive(Readable.from([archive]))
    const manifest = await store.unpack(digest)
    expect(manifest.size).toBe(16)
    const bytes = [...manifest.values()].reduce((sum, { size }) => sum + size, 0)
    expect(bytes).toBeLessThan(megabyte)
  })
})
