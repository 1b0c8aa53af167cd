import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  it('has the images of Slipway itself as well, if they can be built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-images-'))
    const node = join(folder, 'node')
    const build = async (/** @type {string} */ ending) => {
      await writeFile(
        node,
        `#!/bin/sh\nshift\ncase "$*" in slipway*) ${ending};; esac\necho "export LAST=$*"\n`,
        { mode: 0o755 },
      )
      const settings = { ...env, CLUSTER_UP: 'echo /kubeconfig', LAST: '' }
      expect(await startTestCluster(node, settings)).toBeNull()
      return settings.LAST
    }
    expect(await build(':')).toBe('slipway postgresql')
    expect(await build('exit 1')).toBe('test node php')
    await rm(folder, { recursive: true })
  })

  it('is skipped with the last line of a command that fails', async () => {
    const up = { ...env, CLUSTER_UP: 'echo starting >&2; echo no room on the disk >&2; exit 1' }
    expect(await startTestCluster(process.execPath, up)).toMatch(
      /^no cluster started within .+ s: no room on the disk$/,
    )
  })
})
