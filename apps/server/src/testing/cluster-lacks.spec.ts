import { describe, expect, it } from 'vitest'
import { skipNotice } from './cluster-lacks.ts'

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
    expect(skipNotice(images)).toBe(`tests are skipped for 3 reasons:
  secondCluster: KUBERNETES_SECOND_KUBECONFIG names no second cluster
  restart: CLUSTER_RESTART names no command that restarts a node
  slipway: KUBERNETES_SLIPWAY_IMAGE and KUBERNETES_POSTGRESQL_IMAGE name no images of Slipway itself
`)
    expect(skipNotice({})).toContain('tests are skipped for 2 reasons:')
  })

  it('says nothing if it skips none', () => {
    expect(skipNotice({ ...images, ...rest })).toBe('')
  })
})
