import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { lacksOf, privateRegistryLack, skipNotice, wordPressLack } from './cluster-lacks.ts'

const images = {
  KUBECONFIG: 'a',
  KUBERNETES_TEST_IMAGE: 'b',
  KUBERNETES_NODE_IMAGE: 'c',
  KUBERNETES_PHP_IMAGE: 'd',
}
const rest = {
  KUBERNETES_SECOND_KUBECONFIG: 'e',
  KUBERNETES_SLIPWAY_IMAGE: 'f',
  KUBERNETES_POSTGRESQL_IMAGE: 'g',
  CLUSTER_RESTART: 'h',
}

describe('npm run test:kubernetes', () => {
  it('says each reason once for which it skips tests', () => {
    expect(skipNotice(lacksOf(images))).toBe(`tests are skipped for 3 reasons:
  secondCluster: KUBERNETES_SECOND_KUBECONFIG names no second cluster
  restart: CLUSTER_RESTART names no command that restarts a node
  slipway: KUBERNETES_SLIPWAY_IMAGE and KUBERNETES_POSTGRESQL_IMAGE name no images of Slipway itself
`)
    expect(skipNotice(lacksOf({}))).toContain('tests are skipped for 2 reasons:')
  })

  it('says nothing if it skips none', () => {
    expect(skipNotice(lacksOf({ ...images, ...rest }))).toBe('')
  })

  it('says that WordPress is skipped without root', async () => {
    const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.spyOn(process, 'getuid').mockReturnValue(1000)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await wordPressLack(images)).toBe('this machine has no WordPress with PHP, or no root')
    expect(output).toHaveBeenCalledWith('Tests of PHP are skipped: only root starts its sites.\n')
    expect(await wordPressLack({})).toBe(lacksOf({}).cluster)
  })

  it('says that the private registry is skipped beside a cluster on other machines', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-kubeconfig-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const KUBECONFIG = join(folder, 'config')
    await writeFile(
      KUBECONFIG,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'a', cluster: { server: 'https://192.0.2.1:6443' } }],
        users: [{ name: 'a', user: { token: 'a' } }],
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        'current-context': 'a',
      }),
    )
    expect(await privateRegistryLack({ ...images, KUBECONFIG })).toContain(
      'the API server is not on this machine',
    )
    expect(await privateRegistryLack({})).toBe(lacksOf({}).cluster)
  })
})
