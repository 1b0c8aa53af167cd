import { createProject, viewProject } from '@slipway/contract/projects'
import { deployImage, viewRelease } from '@slipway/contract/releases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../modules/projects/reconciler/sweep.ts'
import { type ClusterProxy, startClusterProxy } from '../../../testing/cluster-proxy.ts'
import { createBareCluster, lack, testCluster } from '../../../testing/cluster-world.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { kinds, objectOf } from './api/resources.ts'
import { labels, ownLabels, selectorOf } from './objects/names.ts'

const longTest = 240_000
const creations = 20

describe.skipIf(lack)('an API server that does not respond for a time', () => {
  const { kubeconfig, installation, reference } = testCluster('o')
  const { cluster } = createBareCluster('o')
  const ours = selectorOf(ownLabels(installation))
  let proxy: ClusterProxy
  let world: World
  beforeAll(async () => {
    proxy = await startClusterProxy(kubeconfig)
    world = await createWorld({
      ENGINE: ['kubernetes'],
      KUBECONFIG: proxy.file,
      KUBERNETES_INSTALLATION: installation,
      KUBERNETES_NETWORK_POLICY: 'trusted',
      SLEEP_AFTER: 0,
    })
    await world.host()
    await world.startWorkers()
  })
  afterAll(async () => {
    proxy?.release()
    await world?.close()
    await proxy?.close()
    const { items } = await cluster.list(kinds.Namespace, ours)
    for (const { metadata } of items) await cluster.remove(objectOf(kinds.Namespace, metadata))
    await cluster.close()
  }, longTest)

  /** The keys of all namespaces of this installation, by another connection than the engine's. */
  const namespaces = async () => {
    const { items } = await cluster.list(kinds.Namespace, ours)
    return items.map(({ metadata }) => metadata.labels?.[labels.key] ?? '').sort()
  }
  /** A new project of a new user. */
  const create = async () => {
    const { call, teamId } = await world.user()
    const body = { name: 'Site', teamId, regionId: 'eu', domain: null, runtime: 'image' } as const
    const { id, key } = await call(createProject, { body })
    return { id, key, call }
  }

  it(
    'loses no creation, and makes none twice',
    async () => {
      const created: Awaited<ReturnType<typeof create>>[] = []
      for (let number = 1; number <= creations; number++) {
        if (number === creations / 4) {
          proxy.refuse()
          proxy.break()
        }
        created.push(await create())
      }
      // The engine has tried again and again.
      for (let attempt = 1; attempt <= creations; attempt++) await proxy.connected()
      expect((await namespaces()).length).toBeLessThan(creations)

      proxy.release()
      const keys = created.map(({ key }) => key).sort()
      await until(async () => {
        await sweep(world.ctx)
        const states = await Promise.all(
          created.map(
            async ({ call, key }) => (await call(viewProject, { params: { key } })).state,
          ),
        )
        return states.every((state) => state === 'ready')
      })
      expect(await namespaces()).toEqual(keys)

      const [first] = created
      if (!first) throw new Error('no project was created')
      const params = { id: first.id }
      const body = { reference, port: 8080, healthPath: '/' }
      await first.call(deployImage, { params, body })
      const release = { params: { ...params, number: '1' } }
      await until(async () => (await first.call(viewRelease, release)).state === 'live')
      const page = () => sitePage(world.env.SITES_PORT, `${first.key}.localhost`)
      await until(async () => (await page()).status === 200)
    },
    longTest,
  )
})
