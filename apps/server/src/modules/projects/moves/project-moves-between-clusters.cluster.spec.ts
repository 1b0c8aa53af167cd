import { getProjectMove, startProjectMove } from '@slipway/contract/project-moves'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { treeOf } from '../../../engines/hosting/content/content-tree.fixture.ts'
import { type ClusterProxy, startClusterProxy } from '../../../testing/cluster-proxy.ts'
import { createServiceOnCluster, secondLack, testCluster } from '../../../testing/cluster-world.ts'
import { writeKubeconfigOf } from '../../../testing/kubeconfig-of-clusters.ts'
import { sendSteadily } from '../../../testing/steady-requests.ts'
import { until } from '../../../testing/until.ts'
import type { TestUser, World } from '../../../testing/world.ts'
import { createMovingSites, kills } from './moving-sites.fixture.ts'
import { runMove } from './run-move.ts'

const longTest = 1_800_000
const operatorEmail = 'operator@example.com'

describe.skipIf(secondLack)('a site with files, between two clusters', () => {
  let proxy: ClusterProxy
  let world: World
  let operator: TestUser
  let sites: ReturnType<typeof createMovingSites>
  beforeAll(async () => {
    const { kubeconfig, secondKubeconfig } = testCluster('b')
    proxy = await startClusterProxy(kubeconfig)
    await writeKubeconfigOf({ one: proxy.file, two: secondKubeconfig }, proxy.file)
    const clusters = ['one', 'two']
    world = await createServiceOnCluster('b', {
      ENGINE: ['local', 'kubernetes'],
      KUBECONFIG: proxy.file,
      KUBERNETES_CLUSTERS: clusters.map((name) => ({
        name,
        regionId: 'eu',
        context: name,
        capacity: null,
      })),
      OPERATOR_EMAILS: [operatorEmail],
    })
    operator = await world.user({ email: operatorEmail })
    sites = createMovingSites(world, { owner: await world.user(), operator, clusters })
  }, longTest)
  afterAll(async () => {
    proxy?.release()
    for (const instance of (await world?.ctx.engine.scan(100)) ?? [])
      await world.ctx.engine.remove(instance)
    await world?.close()
    await proxy?.close()
  }, longTest)

  type Site = Awaited<ReturnType<typeof sites.createSite>>

  const move = async ({ id }: Site, target: string) => {
    await sites.begin(id, target)
    await sites.finish(id)
    expect(await sites.find(id)).toMatchObject({ failure: null })
  }

  /** A site in the first cluster, and its files as they were on this machine. */
  async function createSite() {
    const site = await sites.createSite()
    const before = await treeOf(site.files)
    await move(site, 'one')
    return { site, before }
  }

  /** The files of a site, read on this machine. */
  async function filesOf(site: Site) {
    await move(site, 'local')
    return treeOf(site.files)
  }

  it(
    'moves with every file, and visitors see nothing but its pause',
    async () => {
      const { site, before } = await createSite()
      const { id, key } = site
      await sites.untilServed(key)
      const end = sendSteadily(50, async () => {
        const { status, body } = await sites.page(key)
        return body.includes('This site is starting') ? 'starting' : String(status)
      })
      await operator.call(startProjectMove, { params: { key }, body: { cluster: 'two' } })
      const view = () => operator.call(getProjectMove, { params: { key } })
      await until(async () => (await view()).state !== 'running')
      expect(await view()).toMatchObject({ state: 'done', failure: null })
      await sites.untilServed(key)
      const outcomes = await end()
      expect(outcomes.filter((each, index) => each !== outcomes[index - 1])).toEqual([
        '200',
        'starting',
        '200',
      ])
      expect(await sites.clusterOf(id)).toBe('two')
      expect(await sites.remains(key, 'one')).toEqual([])
      expect(await filesOf(site)).toEqual(before)
    },
    longTest,
  )

  it(
    'loses nothing when its worker is killed at any step',
    async () => {
      const { site, before } = await createSite()
      for (const kill of kills)
        for (const target of ['two', 'one']) await sites.moveKilled(site, target, kill)
      expect(await filesOf(site)).toEqual(before)
    },
    longTest,
  )

  it(
    'waits while its source is down, and is served by its target before the source is back',
    async () => {
      const { site, before } = await createSite()
      const { id, key } = site
      const { engine } = world.ctx
      const cut = async () => {
        proxy.refuse()
        proxy.break()
        await until(() => engine.unreachableClusters().includes('one'))
      }
      const restore = async () => {
        proxy.release()
        await until(() => !engine.unreachableClusters().includes('one'))
      }
      await sites.begin(id, 'two')
      await sites.runKilled(id, { after: 1 })
      await cut()
      await runMove(world.ctx, id)
      expect(await sites.find(id)).toMatchObject({ failure: 'source_unreachable' })
      await restore()

      // Everything is in the target; only its requests go to the source.
      await sites.runKilled(id, { after: 4 })
      await cut()
      await runMove(world.ctx, id)
      expect(await sites.clusterOf(id)).toBe('two')
      await sites.untilServed(key)
      expect(await sites.find(id)).toMatchObject({ step: 'clean', finishedAt: null })
      await restore()
      await sites.finish(id)
      expect(await sites.find(id)).toMatchObject({ failure: null })
      expect(await sites.remains(key, 'one')).toEqual([])
      expect(await filesOf(site)).toEqual(before)
    },
    longTest,
  )
})
