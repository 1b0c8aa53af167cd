import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLimiter } from '../../../../limiter.ts'
import { createLogBook } from '../../../../testing/log-book.ts'
import { until } from '../../../../testing/until.ts'
import { sendJson, startApiServer } from './api-server.fixture.ts'
import { createReflector, type ReflectorOptions } from './reflector.ts'
import { type KubeObject, kinds } from './resources.ts'

type Item = { name: string; color: string | undefined }

const namespace = (name: string, color: string, version = '1'): KubeObject => ({
  ...kinds.Namespace,
  metadata: { name, labels: { color }, resourceVersion: version },
})

/** A reflector of namespaces before an API server whose lists and watches the test drives. */
async function startReflector(options: Partial<ReflectorOptions<Item>> = {}) {
  const stored = new Map<string, KubeObject>()
  const watches: { response: ServerResponse; query: URLSearchParams }[] = []
  let version = 1
  let lists = 0
  let failingLists = 0
  let itemsOfPage = Number.POSITIVE_INFINITY
  let onLaterPage: (() => void) | undefined
  const server = await startApiServer(
    (_, response, url) => {
      if (url.searchParams.get('watch') === 'true') {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
        watches.push({ response, query: url.searchParams })
        return
      }
      const first = Number(url.searchParams.get('continue') ?? 0)
      if (first === 0) lists += 1
      if (failingLists-- > 0) return sendJson(response, { message: 'down' }, 500)
      if (first > 0) onLaterPage?.()
      const all = [...stored.values()]
      const next = first + itemsOfPage
      const rest = next < all.length ? { continue: String(next) } : {}
      const metadata = { resourceVersion: String(version), ...rest }
      sendJson(response, { items: all.slice(first, next), metadata })
    },
    { attempts: 1 },
  )
  const changes: string[] = []
  const { log, lines } = createLogBook()
  const reflector = createReflector<Item>({
    cluster: server.cluster,
    kind: kinds.Namespace,
    labelSelector: 'a=b',
    toView: ({ metadata }) => ({ name: metadata.name, color: metadata.labels?.color }),
    onChange: ({ before, now }) => changes.push(`${before?.color ?? '-'}>${now?.color ?? '-'}`),
    log,
    backoff: { initialMs: 1, maxMs: 2 },
    relistMs: 600_000,
    lists: createLimiter(1),
    ...options,
  })
  onTestFinished(() => reflector.close())
  return {
    reflector,
    stored,
    changes,
    lines,
    server,
    lists: () => lists,
    failLists(count: number) {
      failingLists = count
    },
    /** Splits lists into pages. `onLater` is called before each response after the first one. */
    splitLists(items: number, onLater?: () => void) {
      itemsOfPage = items
      onLaterPage = onLater
    },
    moveOn() {
      version += 1
    },
    /** The watch with this number, from 0. */
    watch: (number: number) => until(() => watches[number]),
    async send(number: number, type: string, object: object) {
      const { response } = await until(() => watches[number])
      response.write(`${JSON.stringify({ type, object })}\n`)
    },
  }
}

describe('a reflector', () => {
  it('has the listed objects, and follows their changes', async () => {
    const world = await startReflector()
    world.stored.set('one', namespace('one', 'red'))
    await world.reflector.start()
    expect(world.reflector.find('one')).toEqual({ name: 'one', color: 'red' })
    await world.send(0, 'MODIFIED', namespace('one', 'blue', '2'))
    await world.send(0, 'ADDED', namespace('two', 'green', '3'))
    await until(() => world.reflector.find('two'))
    expect(world.reflector.find('one')?.color).toBe('blue')
    await world.send(0, 'DELETED', namespace('one', 'blue', '4'))
    await until(() => world.reflector.find('one') === undefined)
    expect(world.changes).toEqual(['->red', 'red>blue', '->green', 'blue>-'])
  })

  it('requests bookmarks, and continues from the last one', async () => {
    const world = await startReflector()
    await world.reflector.start()
    expect((await world.watch(0)).query.get('allowWatchBookmarks')).toBe('true')
    await world.send(0, 'BOOKMARK', { metadata: { resourceVersion: '41' } })
    ;(await world.watch(0)).response.end()
    expect((await world.watch(1)).query.get('resourceVersion')).toBe('41')
    expect(world.lists()).toBe(1)
  })

  it('watches again after broken connections, ten times in a row', async () => {
    const world = await startReflector()
    await world.reflector.start()
    for (let number = 0; number < 10; number++) {
      await world.watch(number)
      world.server.cut()
    }
    await world.send(10, 'ADDED', namespace('late', 'red', '9'))
    await until(() => world.reflector.find('late'))
    expect(world.reflector.find('late')?.color).toBe('red')
  })

  it('continues after the last change when a connection breaks, so nothing is seen twice', async () => {
    const world = await startReflector()
    await world.reflector.start()
    for (const [number, version] of ['41', '42', '43'].entries()) {
      await world.send(number, 'MODIFIED', namespace(`of ${version}`, 'red', version))
      await until(() => world.reflector.find(`of ${version}`))
      world.server.cut()
      expect((await world.watch(number + 1)).query.get('resourceVersion')).toBe(version)
    }
    // The wait grows only while nothing arrives.
    expect(world.lines.map(({ failures }) => failures)).toEqual([1, 1, 1])
  })

  it('lists again when the version is gone, and misses neither new nor deleted objects', async () => {
    const world = await startReflector()
    world.stored.set('gone', namespace('gone', 'red'))
    await world.reflector.start()
    world.stored.delete('gone')
    world.stored.set('new', namespace('new', 'blue'))
    await world.send(0, 'ERROR', { code: 410, message: 'too old' })
    await until(() => world.reflector.find('new'))
    expect(world.reflector.find('gone')).toBeUndefined()
    expect(world.lists()).toBe(2)
  })

  it('starts another watch when one is silent, which is no failure', async () => {
    const world = await startReflector({ silenceMs: 50 })
    await world.reflector.start()
    await world.watch(3)
    expect(world.lists()).toBe(1)
    expect(world.lines).toEqual([])
  })

  it('lists again from time to time, because an event may be lost', async () => {
    const world = await startReflector({ relistMs: 1 })
    await world.reflector.start()
    world.stored.set('lost', namespace('lost', 'red'))
    ;(await world.watch(0)).response.end()
    await until(() => world.reflector.find('lost'))
    expect(world.lists()).toBeGreaterThan(1)
  })

  it('stores each page of a list before it reads the next one, and deletes nothing of others', async () => {
    const world = await startReflector()
    for (const name of ['one', 'two', 'three']) world.stored.set(name, namespace(name, 'red'))
    const known: unknown[] = []
    world.splitLists(1, () => {
      known.push(['one', 'two', 'three'].filter((name) => world.reflector.find(name)))
    })
    await world.reflector.start()
    expect(known).toEqual([['one'], ['one', 'two']])
    world.stored.delete('two')
    await world.send(0, 'ERROR', { code: 410, message: 'too old' })
    await until(() => world.reflector.find('two') === undefined)
    expect(world.reflector.find('one')).toBeDefined()
    expect(world.reflector.find('three')).toBeDefined()
  })

  it('lists again at a random time, so that kinds and clusters are not listed at once', async () => {
    const timeouts = [0, 1].map(async (random) => {
      const world = await startReflector({ random: () => random })
      await world.reflector.start()
      return Number((await world.watch(0)).query.get('timeoutSeconds'))
    })
    const [shortest = 0, longest = 0] = await Promise.all(timeouts)
    expect(shortest).toBeLessThanOrEqual(450)
    expect(longest).toBeGreaterThan(600)
  })

  it('lists within the limit that it shares with others', async () => {
    const limiter = createLimiter(1)
    let running = 0
    const run: typeof limiter.run = async (list) => {
      running += 1
      const listed = await list()
      running -= 1
      return listed
    }
    const world = await startReflector({ lists: { ...limiter, run } })
    world.stored.set('one', namespace('one', 'red'))
    world.stored.set('two', namespace('two', 'red'))
    const runningInList: number[] = []
    world.splitLists(1, () => runningInList.push(running))
    await world.reflector.start()
    expect(runningInList).toEqual([1])
    expect(running).toBe(0)
  })

  it('starts once the API server responds', async () => {
    const world = await startReflector()
    world.failLists(3)
    await world.reflector.start()
    expect(world.lists()).toBe(4)
    expect(world.lines.map(({ message }) => message)).toContain('The cluster could not be watched')
  })
})
