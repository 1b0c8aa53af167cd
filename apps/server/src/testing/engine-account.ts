import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { parse } from 'yaml'
import { readKubeconfig } from '../engines/hosting/kubernetes/api/kubeconfig.ts'
import { root } from '../root.ts'
import { kubectl } from './kubectl.ts'

type Role = { apiVersion: string; metadata: { name: string } }

/** As long as the slowest tests on a cluster may take. */
const expirationSeconds = 7200

/**
 * Creates an account that may do only what the shipped role of the engine allows, and resolves with
 * its kubeconfig as text. `name` is its namespace, and the name of its role.
 */
export async function createEngineAccount(name: string, kubeconfig: string | undefined) {
  const roleFile = join(root, 'deploy/kubernetes/base/engine-role.yaml')
  const role = parse(await readFile(roleFile, 'utf8')) as Role
  const account = { name: 'engine', namespace: name }
  const { apiVersion } = role
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
    { ...role, metadata: { name } },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  ]
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds },
  }
  const path = `/api/v1/namespaces/${name}/serviceaccounts/engine/token`
  const response = await kubectl(['create', `--raw=${path}`, '-f', '-'], JSON.stringify(request))
  const { status } = JSON.parse(response) as { status: { token: string } }
  const cluster = (
    await readKubeconfig({ file: kubeconfig, context: undefined })
  ).getCurrentCluster()
  if (!cluster) throw new Error('The kubeconfig names no cluster')
  const config = new KubeConfig()
  config.loadFromClusterAndUser(cluster, { name: 'engine', token: status.token })
  return config.exportConfig()
}

export const removeEngineAccount = (name: string) =>
  kubectl([
    'delete',
    '--ignore-not-found',
    '--wait=false',
    `namespace/${name}`,
    `clusterrole/${name}`,
    `clusterrolebinding/${name}`,
  ])
