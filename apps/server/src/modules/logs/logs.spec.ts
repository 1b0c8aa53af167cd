import { viewProjectLogs } from '@slipway/contract/logs'
import { createPersonalToken, deletePersonalToken } from '@slipway/contract/personal-tokens'
import type { ProjectId, ProjectState } from '@slipway/contract/projects'
import { logout } from '@slipway/contract/sessions'
import { removeFromTeam } from '@slipway/contract/teams'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { pollOptions } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { projects } from '../projects/projects.schema.ts'
import { removeOld } from './logs.service.ts'

let world: World
let owner: TestUser
beforeAll(async () => {
  world = await createWorld()
  owner = await world.user()
  await world.app.server.app.listen({ port: world.env.PORT, host: '127.0.0.1' })
})
afterAll(() => world.close())

const print = async (key: string, ...texts: string[]) => {
  for (const text of texts) world.ctx.logs.add(key, 'site', { time: Date.now(), text })
  await world.ctx.logs.flush()
}

const setState = (id: ProjectId, state: ProjectState) =>
  world.ctx.db.update(projects).set({ state }).where(eq(projects.id, id))

async function openStream(
  { token }: Pick<TestUser, 'token'>,
  id: ProjectId,
  headers: Record<string, string> = {},
  port = world.env.PORT,
) {
  const aborting = new AbortController()
  const response = await fetch(
    `http://127.0.0.1:${port}/api/management/project/logs/${id}?limit=10`,
    {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
      signal: aborting.signal,
    },
  )
  const body = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    close: () => aborting.abort(),
    /** All received text, once it contains `part`. */
    async until(part: string) {
      while (!text.includes(part)) {
        const { value, done } = (await body?.read()) ?? { done: true }
        if (done) throw new Error(`the stream ended before ${part}: ${text}`)
        text += value
      }
      return text
    },
    async ended() {
      for (;;) if ((await body?.read())?.done !== false) return true
    },
  }
}

const textsOf = (text: string) => [...text.matchAll(/"text":"([^"]+)"/g)].map(([, line]) => line)
const idsOf = (text: string) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id)

describe(title(viewProjectLogs), () => {
  it('gives pages from the newest line to the oldest', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId })
    await print(key, 'one', 'two', 'three')
    const read = (before?: string) =>
      owner.call(viewProjectLogs, { params: { id }, query: { limit: 2, before } })
    const newest = await read()
    expect(newest.items.map(({ text }) => text)).toEqual(['two', 'three'])
    const oldest = await read(newest.before ?? undefined)
    expect(oldest.items.map(({ text }) => text)).toEqual(['one'])
    expect(oldest.before).toBeNull()
  })

  it('gives requests without query and visitor', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId })
    const request = {
      method: 'GET',
      host: 'example.com',
      path: '/',
      status: 200,
      bytes: 120,
      duration: 3,
      referrer: null,
      agent: 'Firefox/140',
    }
    world.ctx.logs.add(key, 'requests', { time: Date.now(), request })
    await world.ctx.logs.flush()
    const page = await owner.call(viewProjectLogs, {
      params: { id },
      query: { source: 'requests' },
    })
    expect(page.items).toEqual([expect.objectContaining({ request, text: null, dropped: null })])
  })

  it('streams the newest lines, then each new one', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId })
    await print(key, 'before')
    const stream = await openStream(owner, id)
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
    await stream.until('before')
    await print(key, 'during')
    expect(await stream.until('during')).toContain('"text":"during"')
    stream.close()
  })

  it('continues a stream after the last event that the caller has', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId })
    await print(key, 'one', 'two', 'three')
    const stream = await openStream(owner, id)
    const [, second = ''] = idsOf(await stream.until('three'))
    stream.close()

    const resumed = await openStream(owner, id, { 'last-event-id': second })
    const text = await resumed.until('three')
    expect(text).not.toContain('two')
    resumed.close()
  })

  it('ends with a server that stops, and continues on the next one with each line once', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId })
    await print(key, 'one', 'two')
    const stopping = await world.anotherApp()
    const stream = await openStream(owner, id, {}, await world.listen(stopping))
    const received = await stream.until('two')
    await stopping.close()
    expect(await stream.ended()).toBe(true)

    await print(key, 'three')
    const started = await world.anotherApp()
    const last = idsOf(received).at(-1) ?? ''
    const port = await world.listen(started)
    const resumed = await openStream(owner, id, { 'last-event-id': last }, port)
    await print(key, 'four')
    const remaining = await resumed.until('four')
    expect(textsOf(received + remaining)).toEqual(['one', 'two', 'three', 'four'])
    resumed.close()
  })

  it('ignores a malformed Last-Event-ID', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId })
    await print(key, 'one')
    const stream = await openStream(owner, id, { 'last-event-id': '../../etc/passwd' })
    expect(await stream.until('"text":"one"')).toContain('id: ')
    stream.close()
  })

  it('ends a stream with the session', async () => {
    const { id } = await world.project({ teamId: owner.teamId })
    const member = await world.user()
    await world.join(member, owner.teamId)
    const stream = await openStream(member, id)
    await stream.until('retry')
    await member.call(logout)
    expect(await stream.ended()).toBe(true)
  })

  it('ends a stream when its personal token is revoked', async () => {
    const { id } = await world.project({ teamId: owner.teamId })
    const { token, personalToken } = await owner.call(createPersonalToken, {
      body: { name: 'Terminal', projectIds: [id] },
    })
    const stream = await openStream({ token }, id)
    await stream.until('retry')
    await owner.call(deletePersonalToken, { params: { id: personalToken.id } })
    expect(await stream.ended()).toBe(true)
  })

  it('ends a stream when the caller may no longer read the project', async () => {
    const { id } = await world.project({ teamId: owner.teamId })
    const member = await world.user()
    await world.join(member, owner.teamId)
    const stream = await openStream(member, id)
    await stream.until('retry')
    await owner.call(removeFromTeam, {
      params: { teamId: owner.teamId },
      query: { userId: member.id },
    })
    expect(await stream.ended()).toBe(true)
  })

  it('rejects a stream that the caller may not read, as JSON', async () => {
    const { id } = await world.project({ teamId: owner.teamId })
    const stream = await openStream(await world.user(), id)
    expect(stream.response.status).toBe(404)
    expect(stream.response.headers.get('content-type')).toContain('application/json')
  })

  it('says that a user has too many streams open, until one closes', async () => {
    const { id } = await world.project({ teamId: owner.teamId })
    const user = await world.user()
    await world.join(user, owner.teamId)
    const streams = []
    for (;;) {
      const stream = await openStream(user, id)
      if (stream.response.status === 429) {
        await stream.until('"error":"too_many_streams"')
        break
      }
      streams.push(stream)
    }
    expect(streams).toHaveLength(20)
    for (const stream of streams) stream.close()
    await expect
      .poll(async () => {
        const stream = await openStream(user, id)
        stream.close()
        return stream.response.status
      }, pollOptions)
      .toBe(200)
  })

  it.each(['deleting', 'deleted'] as const)(
    'stores no line of a project that is %s after its logs were removed',
    async (state) => {
      const { id, key } = await world.project({ teamId: owner.teamId })
      await print(key, 'before')
      await setState(id, state)
      await world.ctx.logs.remove(key)
      await print(key, 'a visit that was in progress')
      expect(await world.ctx.logs.projects()).not.toContain(key)
    },
  )

  it('removes the logs of deleted projects', async () => {
    const otherProject = await world.project({ teamId: owner.teamId })
    const deleted = await world.project({ teamId: owner.teamId })
    await print(otherProject.key, 'otherProject')
    await print(deleted.key, 'deleted')
    await setState(deleted.id, 'deleted')
    await removeOld(world.ctx)
    expect(await world.ctx.logs.projects()).toContain(otherProject.key)
    expect(await world.ctx.logs.projects()).not.toContain(deleted.key)
  })
})
