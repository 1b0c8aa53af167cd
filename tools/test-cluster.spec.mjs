import { describe, expect, it } from 'vitest'
import { startTestCluster } from './test-cluster.mjs'

const env = { PATH: process.env.PATH, CLUSTER_LOAD: 'cat' }

describe('the cluster of npm test', () => {
  it.each([{}, { CLUSTER_UP: 'true' }, { CLUSTER_LOAD: 'cat' }])(
    'is skipped with the names of the missing variables: %j',
    async (settings) => {
      const reason = await startTestCluster(process.execPath, settings)
      for (const name of ['KUBECONFIG', 'KUBERNETES_TEST_IMAGE', 'CLUSTER_UP', 'CLUSTER_LOAD'])
        expect(reason).toContain(name)
    },
  )

  it('is skipped with the last line of a command that fails', async () => {
    const up = { ...env, CLUSTER_UP: 'echo starting >&2; echo no room on the disk >&2; exit 1' }
    expect(await startTestCluster(process.execPath, up)).toMatch(
      /^no cluster started within .+ s: no room on the disk$/,
    )
  })
})
