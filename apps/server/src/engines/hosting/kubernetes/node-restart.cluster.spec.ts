import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClusterWorld,
  createClusterWorld,
  image,
  instance,
  lack,
} from '../../../testing/cluster-world.ts'
import { until } from '../../../testing/until.ts'
import { kinds } from './api/resources.ts'
import { names, namespaceOf } from './objects/names.ts'

/** A command that restarts the node, and waits until it is ready. */
const restart = process.env.CLUSTER_RESTART
const longTest = 400_000

describe.skipIf(lack || !restart)('a node that restarts', () => {
  let world: ClusterWorld
  beforeAll(async () => {
    world = await createClusterWorld({ sleepAfterMs: 3_600_000, times: { sleepCheckMs: 100 } })
  })
  afterAll(() => world?.close(), longTest)

  const replicas = async (key: string) => {
    const namespace = namespaceOf(world.installation, key)
    const deployment = await world.cluster.read(kinds.Deployment, names.site, namespace)
    return (deployment?.spec as { replicas: number } | undefined)?.replicas
  }

  it(
    'has its sites respond again, with their data, and those that sleep stay asleep',
    async () => {
      // Not visited: the gateway would renew its lease by the machine's clock.
      const sleeping = instance('sleeping')
      world.route(sleeping)
      await world.engine.apply(sleeping, { mayCreate: true })
      await until(() => world.engine.addressOf('sleeping') !== null)
      world.clock.forward(3_600_000)
      await until(async () => (await replicas('sleeping')) === 0)
      await until(() => world.engine.addressOf('sleeping') === null)
      const plain = instance('plain')
      const stored = instance('stored', {
        image: image({ dataPath: '/data' }),
        environment: { DATA: '/data' },
      })
      await Promise.all([plain, stored].map((desired) => world.applyUntilHealthy(desired)))
      expect((await world.visit('stored')).body).toBe('hello 1')

      await promisify(execFile)('sh', ['-c', restart ?? ''])

      await until(async () => (await world.visit('plain')).status === 200)
      // A restarted container counts in the same folder.
      await until(async () => /^hello [2-9]$/.test((await world.visit('stored')).body))
      for (const { key } of [plain, stored]) {
        await until(async () => (await world.engine.list([key]))[0]?.running)
        await until(() => world.engine.problemOf(key) === null)
      }
      expect((await world.engine.list(['sleeping']))[0]).toMatchObject({ asleep: true })
      expect(await replicas('sleeping')).toBe(0)
      await until(async () => (await world.visit('sleeping')).status === 200)

      const changed = { ...plain, environment: { GREETING: 'changed' } }
      await world.engine.apply(changed, { mayCreate: false })
      await until(async () => (await world.visit('plain')).body === 'changed 0')
    },
    longTest,
  )
})
