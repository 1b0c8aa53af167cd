import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { minute } from '@slipway/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import * as moves from '../projects/moves/project-moves.store.ts'
import * as archives from './content-archives.service.ts'

let world: World
let owner: TestUser
beforeAll(async () => {
  // Nothing connects to a cluster before the engines start.
  world = await createWorld({
    ENGINE: ['local', 'kubernetes'],
    KUBERNETES_SERVICE_URL: 'http://console.internal:3000',
  })
  owner = await world.user()
})
afterAll(() => world.close())

/** An open move, which has begun its first step. */
async function begin() {
  const { id: projectId } = await world.project({ teamId: owner.teamId, cluster: 'local' })
  const now = world.clock.now()
  const deadlineAt = new Date(now.getTime() + 30 * minute)
  const move = { projectId, source: 'local', target: 'default', requestedBy: owner.id }
  return world.ctx.write((tx) => moves.begin(tx, move, { now, deadlineAt }))
}

async function moveAt(step: moves.Move['step']): Promise<moves.Move> {
  const move = await begin()
  await moves.update(world.ctx.db, move, { step })
  return { ...move, step }
}

const enter = async (move: moves.Move, change: moves.Change) =>
  expect(await moves.update(world.ctx.db, move, change)).toBe(true)

const inject = (url: string, options: { method: 'GET' | 'PUT' | 'POST'; payload?: string }) => {
  const { pathname, search } = new URL(url)
  const headers = { 'content-type': 'application/octet-stream' }
  return world.app.server.app.inject({ url: `${pathname}${search}`, headers, ...options })
}
const put = (url: string, payload: string) => inject(url, { method: 'PUT', payload })
const get = (url: string) => inject(url, { method: 'GET' })

const storedFiles = () =>
  readdir(join(world.env.DATA_DIR, 'artifacts/incoming')).catch((): string[] => [])

/** Addresses that a caller without the key derives from a valid one. */
function* changedAddresses(url: string, otherId: string) {
  const change = (name: string, value: string | null) => {
    const changed = new URL(url)
    if (value === null) changed.searchParams.delete(name)
    else changed.searchParams.set(name, value)
    return changed.href
  }
  const until = Number(new URL(url).searchParams.get('until'))
  yield change('until', String(until + minute))
  yield change('until', 'Infinity')
  yield change('until', null)
  yield change('signature', '0'.repeat(64))
  yield change('signature', '')
  yield change('signature', null)
  yield `${url}&signature=${'0'.repeat(64)}`
  yield url.replace(/\/[0-9a-f-]{36}/, `/${otherId}`)
  yield url.replace(/\/[0-9a-f-]{36}/, '/..%2f..%2fkeys')
}

describe('the signed address of the files of a move', () => {
  let otherMove: moves.Move
  beforeEach(async () => {
    otherMove = await moveAt('export')
  })

  it('stores the files during the export, and sends them during the import', async () => {
    const move = await moveAt('export')
    const { url } = await archives.archiveOf(world.ctx, move.id)
    expect(new URL(url).origin).toBe('http://console.internal:3000')
    const stored = await put(url, 'the files')
    expect(stored.statusCode).toBe(200)
    expect(stored.json()).toEqual({
      digest: createHash('sha256').update('the files').digest('hex'),
    })

    await enter(move, { step: 'import' })
    const sent = await get(url)
    expect([sent.statusCode, sent.body]).toEqual([200, 'the files'])
    expect(sent.headers).toMatchObject({ 'cache-control': 'no-store', 'content-length': '9' })
    await archives.remove(world.ctx, move.id)
  })

  it('is rejected after any change, before it stores or sends anything', async () => {
    const move = await moveAt('export')
    const { url } = await archives.archiveOf(world.ctx, move.id)
    const before = await storedFiles()
    for (const changed of changedAddresses(url, otherMove.id))
      expect((await put(changed, 'forged')).statusCode, changed).toBe(404)
    expect(await storedFiles()).toEqual(before)

    expect((await put(url, 'the files')).statusCode).toBe(200)
    await enter(move, { step: 'import' })
    await enter(otherMove, { step: 'import' })
    for (const changed of changedAddresses(url, otherMove.id))
      expect((await get(changed)).statusCode, changed).toBe(404)
    await archives.remove(world.ctx, move.id)
  })

  it('is valid for an hour', async () => {
    const move = await moveAt('export')
    const { url } = await archives.archiveOf(world.ctx, move.id)
    world.clock.forward(60 * minute - 1)
    expect((await put(url, 'in time')).statusCode).toBe(200)
    world.clock.forward(1)
    expect((await put(url, 'late')).statusCode).toBe(404)
    await enter(move, { step: 'import' })
    expect((await get(url)).statusCode).toBe(404)
    // The move continues with a new address.
    const renewed = await archives.archiveOf(world.ctx, move.id)
    expect((await get(renewed.url)).body).toBe('in time')
    await archives.remove(world.ctx, move.id)
  })

  it('only stores in the export, and only sends in the import', async () => {
    const move = await moveAt('export')
    const { url } = await archives.archiveOf(world.ctx, move.id)
    expect((await put(url, 'the files')).statusCode).toBe(200)
    expect((await get(url)).statusCode).toBe(404)
    expect((await inject(url, { method: 'POST', payload: 'posted' })).statusCode).toBe(404)
    await enter(move, { step: 'import' })
    expect((await put(url, 'replaced')).statusCode).toBe(404)
    expect((await get(url)).body).toBe('the files')
    await archives.remove(world.ctx, move.id)
  })

  it.each(['check', 'stop', 'start', 'clean'] as const)(
    'is not valid at the step %s',
    async (step) => {
      const move = await moveAt(step)
      const { url } = await archives.archiveOf(world.ctx, move.id)
      expect((await put(url, 'files')).statusCode).toBe(404)
      expect((await get(url)).statusCode).toBe(404)
    },
  )

  it('is not valid any more once its move has ended, nor for the next one', async () => {
    const move = await moveAt('export')
    const { url } = await archives.archiveOf(world.ctx, move.id)
    expect((await put(url, 'the files')).statusCode).toBe(200)
    await enter(move, { finishedAt: world.clock.now() })
    expect((await put(url, 'replayed')).statusCode).toBe(404)

    const now = world.clock.now()
    const { projectId, source, target } = move
    const secondMove = { projectId, source, target, requestedBy: owner.id }
    const deadlineAt = new Date(now.getTime() + 30 * minute)
    const next = await world.ctx.write((tx) => moves.begin(tx, secondMove, { now, deadlineAt }))
    await enter(next, { step: 'export' })
    expect((await put(url, 'replayed')).statusCode).toBe(404)
    await enter({ ...next, step: 'export' }, { step: 'import' })
    expect((await get(url)).statusCode).toBe(404)
    await archives.remove(world.ctx, move.id)
  })
})
