import { afterAll, describe, expect, it } from 'vitest'
import { createLog } from '../../../../log.ts'
import { createBareCluster, trialLack } from '../../../../testing/cluster-world.ts'
import { until } from '../../../../testing/until.ts'
import { kinds } from '../api/resources.ts'
import { labels, ownLabels, selectorOf } from '../objects/names.ts'
import { restrictedNamespace } from '../objects/project-objects.ts'
import { checkCluster } from '../self-check.ts'
import { trialLabels } from './trial-objects.ts'

const longTest = 240_000

describe.skipIf(trialLack)('the check of a cluster', () => {
  const { cluster, settings, images, networkPolicy } = createBareCluster('n')
  const { installation } = settings
  afterAll(() => cluster.close())

  const check = (changes: { node?: string | undefined } = {}) =>
    checkCluster({
      cluster,
      settings,
      images: { ...images, ...changes },
      networkPolicy: undefined,
      wantsUserNamespaces: true,
      signal: new AbortController().signal,
      log: createLog('silent'),
      trialTimes: { settleMs: 15_000 },
    })
  const trials = async (name: string) => {
    const selector = `${selectorOf(ownLabels(name))},${labels.trial}`
    return cluster.list(kinds.Namespace, selector)
  }
  const leaveTrial = (name: string) =>
    cluster.apply(restrictedNamespace(`${name}-trial-killed`, trialLabels(name, 'killed')))

  it(
    'tries whether NetworkPolicy is enforced, and leaves nothing, also of a killed trial',
    async () => {
      await leaveTrial(installation)
      const otherTrial = await leaveTrial(`${installation}other`)
      const results = await check()
      expect(results.map(({ finding }) => finding)).toEqual([
        'reachable',
        'permissions_granted',
        'server_side_apply',
        'storage_class',
        networkPolicy,
        'api_closed',
        'no_user_namespaces',
        'no_edge',
        expect.stringMatching(/^images_/),
      ])
      await until(async () => (await trials(installation)).length === 0)
      expect(await cluster.read(kinds.Namespace, otherTrial.metadata.name)).not.toBeNull()
      await cluster.remove(otherTrial)
    },
    longTest,
  )

  it(
    'says why NetworkPolicy could not be tried, and leaves nothing',
    async () => {
      const results = await check({ node: `localhost/missing@sha256:${'0'.repeat(64)}` })
      const result = results.find(({ part }) => part === 'network_policy')
      expect(result?.finding).toBe('network_policy_not_tried')
      expect(result?.detail).toMatch(/^a pod did not start: .*localhost\/missing/)
      await until(async () => (await trials(installation)).length === 0)
    },
    longTest,
  )
})
