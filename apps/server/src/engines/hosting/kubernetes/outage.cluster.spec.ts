import { createProject, viewProject } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../modules/projects/reconciler/sweep.ts'
import { type ClusterProxy, startClusterProxy } from '../../../testing/cluster-proxy.ts'
import {
  createBareCluster,
  createServiceOnCluster,
  runtimeLack,
  testCluster,
} from '../../../testing/cluster-world.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { sendSteadily } from '../../../testing/steady-requests.ts'
import { until } from '../../../testing/until.ts'
import type { World } from '../../../testing/world.ts'
import { kinds, objectOf } from './api/resources.ts'
import { labels, names, namespaceOf, ownLabels, selectorOf } from './objects/names.ts'

const longTest = 900_000
const creations = 20
const outageMs = 60_000

describe.skipIf(runtimeLack)('an API server that does not respond for a minute', () => {
  const { kubeconfig, installation } = testCluster('o')
  const { cluster } = createBareCluster('o')
  const ours = selectorOf(ownLabels(installation))
  let proxy: ClusterProxy
  let world: World
  beforeAll(async () => {
    proxy = await startClusterProxy(kubeconfig)
    // 22 sites on a node of two cores.
    const changes = { KUBECONFIG: proxy.file, KUBERNETES_RESERVED_CPU: 2 }
    world = await createServiceOnCluster('o', changes)
  }, longTest)
  afterAll(async () => {
    proxy?.release()
    await world?.close()
    await proxy?.close()
    const items = await cluster.list(kinds.Namespace, ours)
    for (const { metadata } of items) await cluster.remove(objectOf(kinds.Namespace, metadata))
    await cluster.close()
  }, longTest)

  /** The keys of all objects of a kind, by another connection than the engine's. */
  const keysOf = async (kind: typeof kinds.Namespace) => {
    const items = await cluster.list(kind, ours)
    return items.map(({ metadata }) => metadata.labels?.[labels.key] ?? '').sort()
  }
  /** A new project of a new user, whose site has a pod. */
  const create = async () => {
    const { call, teamId } = await world.user()
    const body = { name: 'Site', teamId, regionId: 'eu', domain: null, runtime: 'starter' } as const
    const { key } = await call(createProject, { body })
    const view = () => call(viewProject, { params: { key } })
    const visit = async () => {
      const { status, body: page } = await sitePage(world.env.SITES_PORT, `${key}.localhost`)
      return status === 200 ? 'ok' : `${status} ${page.slice(0, 200)}`
    }
    return { key, view, visit }
  }
  type Created = Awaited<ReturnType<typeof create>>
  const untilReady = (projects: readonly Created[]) =>
    until(async () => {
      await sweep(world.ctx)
      const states = await Promise.all(projects.map(async ({ view }) => (await view()).state))
      return states.every((state) => state === 'ready')
    })

  const deploymentOf = (key: string) =>
    cluster.read(kinds.Deployment, names.site, namespaceOf(installation, key))
  const policyOf = (key: string) =>
    objectOf(kinds.NetworkPolicy, {
      name: names.policy,
      namespace: namespaceOf(installation, key),
    })
  /** Changes objects of a site, as another user of the cluster, whom no watch sees now. */
  async function changeUnseen(key: string) {
    const deployment = await deploymentOf(key)
    if (!deployment) throw new Error('the Deployment is gone')
    await cluster.merge(deployment, { spec: { revisionHistoryLimit: 7 } })
    await cluster.remove(policyOf(key))
  }
  async function isChanged(key: string) {
    const { spec } = (await deploymentOf(key)) ?? {}
    const { name, namespace } = policyOf(key).metadata
    const policy = await cluster.read(kinds.NetworkPolicy, name, namespace)
    return policy === null || (spec as { revisionHistoryLimit?: number }).revisionHistoryLimit !== 1
  }

  it(
    'loses none of 20 creations of sites with pods, stops no site, and puts back what was changed',
    async () => {
      const running = [await create(), await create()]
      await untilReady(running)
      const ends = running.map(({ visit }) => sendSteadily(100, visit))

      const created: Created[] = []
      let outageEnd = Number.POSITIVE_INFINITY
      for (let number = 1; number <= creations; number++) {
        if (number === creations / 4) {
          outageEnd = performance.now() + outageMs
          proxy.refuse()
          proxy.break()
          await changeUnseen(running[0]?.key ?? '')
        }
        created.push(await create())
      }
      // As timers do every few seconds in production.
      await until(async () => {
        await sweep(world.ctx)
        return performance.now() >= outageEnd
      })
      expect((await keysOf(kinds.Namespace)).length).toBeLessThan(creations)

      proxy.release()
      await untilReady(created)
      await until(async () => {
        await sweep(world.ctx)
        return !(await isChanged(running[0]?.key ?? ''))
      })
      const keys = [...running, ...created].map(({ key }) => key).sort()
      expect(await keysOf(kinds.Namespace)).toEqual(keys)
      expect(await keysOf(kinds.Deployment)).toEqual(keys)
      // Pods that a change has replaced may still be ending.
      await until(async () => (await keysOf(kinds.Pod)).length === keys.length)
      expect(await keysOf(kinds.Pod)).toEqual(keys)
      for (const { visit } of created) expect(await visit()).toBe('ok')
      for (const end of ends) {
        const outcomes = await end()
        expect(outcomes.length).toBeGreaterThan(outageMs / 200)
        expect(outcomes.filter((outcome) => outcome !== 'ok')).toEqual([])
      }
    },
    longTest,
  )
})
