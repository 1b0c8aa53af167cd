import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClusterWorld,
  createClusterWorld,
  instance,
  objectSettings,
} from '../../../testing/cluster-world.ts'
import { createLogBook } from '../../../testing/log-book.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { kinds } from './api/resources.ts'
import { names, namespaceOf } from './objects/names.ts'

const longTest = 120_000

type PodSpec = { hostUsers?: boolean; containers: { lifecycle?: { preStop: object } }[] }
const tooOld = 'the cluster may run pods without user namespaces'

describe.each([
  { version: 'v1.20.2', hostUsers: undefined, preStop: undefined, errors: [tooOld] },
  { version: 'v1.28.0', hostUsers: false, preStop: undefined, errors: [tooOld] },
  { version: 'v1.33.1', hostUsers: false, preStop: { sleep: { seconds: 5 } }, errors: [] },
])('with KUBERNETES_USER_NAMESPACES, a cluster of $version', (expected) => {
  const { version, hostUsers, preStop, errors } = expected
  const { log, lines } = createLogBook()
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster({ version })
    const { pods, ...settings } = objectSettings('versions')
    world = await createClusterWorld({
      kubeconfig: standIn.kubeconfig,
      installation: 'versions',
      settings: { ...settings, pods: { ...pods, userNamespaces: true } },
      log,
    })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  it('runs sites with what it knows, and the log says what it may lack', async () => {
    await world.applyUntilHealthy(instance('site'))
    const namespace = namespaceOf('versions', 'site')
    const deployment = await world.cluster.read(kinds.Deployment, names.site, namespace)
    if (!deployment) throw new Error('there is no Deployment')
    const { template } = deployment.spec as { template: { spec: PodSpec } }
    expect(template.spec.hostUsers).toBe(hostUsers)
    expect(template.spec.containers[0]?.lifecycle?.preStop).toEqual(preStop)
    // Before 1.23 a label as any other; Pod Security enforces it, also after an upgrade.
    const found = await world.cluster.read(kinds.Namespace, namespace)
    expect(found?.metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    })
    const logged = lines.filter(({ level }) => level === 'error').map(({ message }) => message)
    expect(logged).toEqual(errors)
  })
})
