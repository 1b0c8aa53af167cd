import { type ClusterResult, getClusterCheck, startClusterCheck } from '@slipway/contract/clusters'
import { day, minute } from '@slipway/contract/limits'
import { listReleases, rollBackRelease, updateVersion } from '@slipway/contract/releases'
import { listRuntimes } from '@slipway/contract/runtimes'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, outcome } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { releaseOf } from '../releases/releases.fixture.ts'
import { insertVersion } from '../runtime-versions/runtime-versions.fixture.ts'
import { clusterChecks } from './clusters.schema.ts'
import * as clusters from './clusters.service.ts'

const image = `registry.example/node@sha256:${'0'.repeat(64)}`

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({
    ENGINE: ['kubernetes'],
    KUBERNETES_NODE_IMAGE: image,
    KUBERNETES_PHP_IMAGE: image,
    OPERATOR_EMAILS: ['operator@example.com'],
  })
  operator = await world.user({ email: 'operator@example.com' })
})
beforeEach(() => world.ctx.db.delete(clusterChecks))
afterAll(() => world.close())

const start = () => operator.call(startClusterCheck)
const view = () => operator.call(getClusterCheck)

/** Runs a check as the worker does, on a cluster with these properties. */
const runCheck = (results: ClusterResult[], env: Partial<Context['env']> = {}) => {
  const engine = { ...world.ctx.engine, checkClusters: async () => results }
  return clusters.check({ ...world.ctx, engine, env: { ...world.ctx.env, ...env } })
}

const policy = (finding: ClusterResult['finding'], cluster = 'default'): ClusterResult => ({
  cluster,
  part: 'network_policy',
  finding,
  detail: null,
})

describe(title(startClusterCheck), () => {
  it('requests a check, which a worker finishes', async () => {
    const requestedAt = world.clock.now().toISOString()
    expect(await start()).toEqual({ state: 'running', requestedAt, checkedAt: null, items: [] })
    world.clock.forward(1_000)
    const cluster = 'default'
    await runCheck([{ cluster, part: 'api_server', finding: 'reachable', detail: 'v1.33.1' }])
    expect(await view()).toEqual({
      state: 'finished',
      requestedAt,
      checkedAt: world.clock.now().toISOString(),
      items: [
        { cluster, part: 'api_server', finding: 'reachable', passed: true, detail: 'v1.33.1' },
      ],
    })
  })

  it('shows the results of the previous check until the next one has finished', async () => {
    await runCheck([policy('network_policy_not_enforced')])
    expect(await start()).toMatchObject({
      state: 'running',
      items: [{ finding: 'network_policy_not_enforced', passed: false }],
    })
  })

  it('keeps the results when only the worker has credentials of the cluster', async () => {
    await runCheck([policy('network_policy_enforced')], { KUBECONFIG: '/etc/worker/kubeconfig' })
    expect(await start()).toMatchObject({
      state: 'running',
      items: [{ finding: 'network_policy_enforced' }],
    })
  })

  it('rejects a request where sites run on no cluster', async () => {
    const local = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
    const { call } = await local.user({ email: 'operator@example.com' })
    expect(await errorCodeOf(call(startClusterCheck))).toBe('item_not_found')
    expect(await errorCodeOf(call(getClusterCheck))).toBe('item_not_found')
    await local.close()
  })
})

describe(title(getClusterCheck), () => {
  it('finds nothing before the first check', async () => {
    expect(await errorCodeOf(view())).toBe('item_not_found')
  })
})

describe('the check of the cluster by the worker', () => {
  const isRequested = async (env: Partial<Context['env']> = {}, isStart = false) => {
    await clusters.requestIfDue({ ...world.ctx, env: { ...world.ctx.env, ...env } }, isStart)
    return (await view()).state === 'running'
  }

  it('is requested at each start, and a day after the previous one', async () => {
    expect(await isRequested({}, true)).toBe(true)
    await runCheck([policy('network_policy_enforced')])
    expect(await isRequested()).toBe(false)
    expect(await isRequested({}, true)).toBe(true)
    // The network may have been replaced while no worker ran; until the check ends, this counts.
    expect((await view()).items).toMatchObject([{ finding: 'network_policy_enforced' }])
    await runCheck([policy('network_policy_enforced')])
    world.clock.forward(day)
    expect(await isRequested()).toBe(true)
  })

  it('is requested again after a temporary failure', async () => {
    await runCheck([policy('network_policy_not_tried')])
    expect(await isRequested()).toBe(true)
    await runCheck([policy('network_policy_not_enforced')])
    expect(await isRequested()).toBe(false)
  })

  it('is requested once a cluster responds that did not during the previous one', async () => {
    const isRequestedWhile = async (unreachable: string[]) => {
      const engine = { ...world.ctx.engine, unreachableClusters: () => unreachable }
      await clusters.recordReachability({ ...world.ctx, engine })
      return (await view()).state === 'running'
    }
    const { cluster, part } = { cluster: 'default', part: 'api_server' as const }
    await runCheck([{ cluster, part, finding: 'unreachable', detail: null }, policy('not_checked')])
    expect(await isRequestedWhile([])).toBe(false)
    world.clock.forward(minute)
    expect(await isRequestedWhile([cluster])).toBe(false)
    expect(await isRequestedWhile([])).toBe(true)
    await runCheck([{ cluster, part, finding: 'reachable', detail: null }, policy('not_checked')])
    world.clock.forward(minute)
    expect(await isRequestedWhile([])).toBe(false)
  })

  it('is requested after a change of the settings, and earlier results are deleted', async () => {
    await runCheck([policy('network_policy_enforced')])
    expect(await isRequested({ KUBERNETES_CONTEXT: 'other' })).toBe(true)
    expect((await view()).items).toEqual([])
  })
})

describe('programs of customers on a cluster', () => {
  it('start with no rollback or update after a check found that nothing confines them', async () => {
    const { id: userId, teamId, call } = operator
    const { id, number } = await releaseOf(world, { teamId, userId, runtime: 'node' })
    const wordPress = await world.project({ teamId, runtime: 'wordpress' })
    await insertVersion(world, '6.5.0')
    const outcomes = async () => [
      await outcome(call(rollBackRelease, { params: { id }, body: { number } })),
      await outcome(call(updateVersion, { params: { id: wordPress.id } })),
    ]
    await runCheck([policy('network_policy_not_enforced')])
    expect(await outcomes()).toEqual(['runtime_not_available', 'runtime_not_available'])
    const { items } = await call(listReleases, { params: { id }, query: {} })
    expect(items.map((release) => release.number)).toEqual([number])
    await runCheck([policy('network_policy_enforced')])
    expect(await outcomes()).toEqual(['ok', 'ok'])
  })

  const reasonOfNode = async () => {
    const runtimes = await operator.call(listRuntimes, { query: { regionId: 'eu' } })
    return runtimes.find(({ id }) => id === 'node')?.reason
  }
  const unknown =
    "It isn't known yet whether the cluster enforces NetworkPolicy (npm run operator -- cluster check)."

  it('run only where NetworkPolicy is enforced', async () => {
    expect(await reasonOfNode()).toBe(unknown)
    await runCheck([policy('network_policy_not_tried')])
    expect(await reasonOfNode()).toBe(unknown)
    await runCheck([policy('network_policy_not_enforced')])
    expect(await reasonOfNode()).toBe(
      "The cluster doesn't enforce NetworkPolicy (npm run operator -- cluster check).",
    )
    await runCheck([policy('network_policy_enforced')])
    expect(await reasonOfNode()).toBeNull()
  })

  it('do not run where sites can reach the API server, unless the operator trusts them', async () => {
    const apiOpen: ClusterResult = {
      cluster: 'default',
      part: 'api_access',
      finding: 'api_open',
      detail: '203.0.113.5',
    }
    const english = "Sites can reach the cluster's API server (npm run operator -- cluster check)."
    await runCheck([policy('network_policy_enforced'), apiOpen])
    expect(await reasonOfNode()).toBe(english)

    const missing = (setting: 'enforced' | 'trusted', cluster = 'default') =>
      clusters.missingForPrograms(
        { db: world.ctx.db, env: { ...world.ctx.env, KUBERNETES_NETWORK_POLICY: setting } },
        cluster,
      )
    expect(await missing('enforced')).toBe('api_server_open')
    expect(await missing('enforced', 'other')).toBeNull()
    expect(await missing('trusted')).toBeNull()
  })
})
