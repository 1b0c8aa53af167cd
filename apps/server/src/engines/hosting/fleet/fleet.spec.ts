import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject, deleteProject, renameProject } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as store from '../../../modules/projects/projects.store.ts'
import { sweep } from '../../../modules/projects/reconciler/sweep.ts'
import { freePort } from '../../../testing/free-port.ts'
import { createNamespaceServer } from '../../../testing/namespace-server.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'

const longTest = 120_000

/** A kubeconfig with a context for each port, of the same name. */
const kubeconfig = (ports: Record<string, number>) => `
apiVersion: v1
kind: Config
users: [{ name: worker, user: { token: secret } }]
clusters: [${Object.entries(ports).map(([name, port]) => `{ name: ${name}, cluster: { server: 'http://127.0.0.1:${port}', insecure-skip-tls-verify: true } }`)}]
contexts: [${Object.keys(ports).map((name) => `{ name: ${name}, context: { cluster: ${name}, user: worker } }`)}]
`

const cluster = (name: string) => ({ name, regionId: name, context: name, capacity: null })
const region = (id: string) => ({ id, names: { en: id, tr: id } })
const regionIds = ['up', 'refusing', 'silent']

describe('clusters of which some do not respond', () => {
  let folder: string
  let world: World
  let owner: TestUser
  let up: ReturnType<typeof createNamespaceServer>
  /** Refuses connections until it starts. */
  let refusing: ReturnType<typeof createNamespaceServer>
  /** Accepts connections and never responds. */
  let silent: Server
  const sockets = new Set<Socket>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-fleet-'))
    silent = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const ports = {
      up: await freePort(),
      refusing: await freePort(),
      silent: (silent.address() as AddressInfo).port,
    }
    up = createNamespaceServer(ports.up)
    refusing = createNamespaceServer(ports.refusing)
    await up.start()
    const file = join(folder, 'kubeconfig')
    await writeFile(file, kubeconfig(ports))
    world = await createWorld({
      ENGINE: ['kubernetes'],
      KUBECONFIG: file,
      KUBERNETES_CLUSTERS: regionIds.map(cluster),
      KUBERNETES_NETWORK_POLICY: 'trusted',
      REGIONS: regionIds.map(region),
      SLEEP_AFTER: 0,
    })
    await world.host()
    await world.startWorkers()
    owner = await world.user()
  }, longTest)
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    silent?.close()
    await world?.close()
    await up?.stop()
    await refusing?.stop()
    await rm(folder, { recursive: true })
  })

  const create = (regionId: string) =>
    owner.call(createProject, {
      body: { name: 'Site', teamId: owner.teamId, regionId, domain: null, runtime: 'static' },
    })
  type Created = Awaited<ReturnType<typeof create>>
  const row = async ({ id }: Pick<Created, 'id'>) => {
    const project = await store.findForReconciler(world.ctx.db, id)
    if (!project) throw new Error('the project is gone')
    return project
  }
  const rename = ({ id }: Created, name: string) =>
    owner.call(renameProject, { params: { id }, body: { name } })
  const isReady = async (project: Created) => {
    const { state, failure, generation, appliedGeneration } = await row(project)
    return state === 'ready' && failure === null && appliedGeneration === generation
  }
  const hasFailure = async (project: Created) =>
    (await row(project)).failure === 'cluster_unreachable'
  /** Runs the sweep until the condition is true, as timers do in production. */
  const untilSwept = (holds: () => Promise<boolean>) =>
    until(async () => {
      await sweep(world.ctx)
      return holds()
    })

  it(
    'delay no project of another cluster, and show why their own projects wait',
    async () => {
      // The projects that cannot be created come first.
      const waiting = [await create('refusing'), await create('silent'), await create('refusing')]
      const ready = [await create('up'), await create('up'), await create('up')]
      for (const project of ready) await until(() => isReady(project))
      for (const project of waiting) await until(() => hasFailure(project))
      expect(up.names()).toHaveLength(ready.length)
      await world.ctx.engine.check()
      expect(world.ctx.engine.unreachableClusters()).toEqual(['refusing', 'silent'])

      await refusing.start()
      const [first, , third] = waiting
      for (const project of [first, third]) if (project) await untilSwept(() => isReady(project))
      expect(refusing.names()).toHaveLength(2)
      for (const { id } of [...ready, ...waiting])
        await owner.call(deleteProject, { params: { id } })
      await untilSwept(async () => up.names().length + refusing.names().length === 0)
    },
    longTest,
  )

  it(
    'are not taken for clusters that have lost their instances',
    async () => {
      const [healthy, refused] = [await create('up'), await create('refusing')]
      for (const project of [healthy, refused]) await untilSwept(() => isReady(project))
      const before = await row(refused)

      await refusing.stop()
      await until(() => world.ctx.engine.unreachableClusters().includes('refusing'))
      const listed = await world.ctx.engine.list([
        { key: healthy.key, cluster: 'up' },
        { key: refused.key, cluster: 'refusing' },
      ])
      expect(listed.map(({ key }) => key)).toEqual([healthy.key])
      await sweep(world.ctx)
      expect(await row(refused)).toEqual(before)

      await rename(refused, 'Renamed')
      await until(() => hasFailure(refused))
      await rename(healthy, 'Renamed')
      await until(() => isReady(healthy))

      await refusing.start()
      await untilSwept(() => isReady(refused))
    },
    longTest,
  )
})
