import { whyNoRegistry } from './private-registry.ts'
import { findWordPress } from './wordpress.ts'

/** Why tests on a cluster cannot run, by what they need; undefined for those that can. */
export function lacksOf(env: NodeJS.ProcessEnv) {
  const lacks = (...names: string[]) => names.some((name) => env[name] === undefined)
  const cluster = lacks('KUBECONFIG', 'KUBERNETES_TEST_IMAGE')
    ? 'KUBECONFIG and KUBERNETES_TEST_IMAGE name no cluster and no image to test on'
    : undefined
  const runtimes =
    cluster ??
    (lacks('KUBERNETES_NODE_IMAGE', 'KUBERNETES_PHP_IMAGE')
      ? 'KUBERNETES_NODE_IMAGE and KUBERNETES_PHP_IMAGE name no images of deploy/runtimes'
      : undefined)
  return {
    cluster,
    runtimes,
    secondCluster:
      runtimes ??
      (lacks('KUBERNETES_SECOND_KUBECONFIG')
        ? 'KUBERNETES_SECOND_KUBECONFIG names no second cluster'
        : undefined),
    networkTrial: lacks('KUBECONFIG', 'KUBERNETES_NODE_IMAGE')
      ? 'KUBECONFIG and KUBERNETES_NODE_IMAGE name no cluster and no image of deploy/runtimes'
      : undefined,
    restart:
      cluster ??
      (lacks('CLUSTER_RESTART')
        ? 'CLUSTER_RESTART names no command that restarts a node'
        : undefined),
    slipway:
      runtimes ??
      (lacks('KUBERNETES_SLIPWAY_IMAGE', 'KUBERNETES_POSTGRESQL_IMAGE')
        ? 'KUBERNETES_SLIPWAY_IMAGE and KUBERNETES_POSTGRESQL_IMAGE name no images of Slipway itself'
        : undefined),
  }
}

/** Why the tests of WordPress on a cluster cannot run. Installs it if it can be. */
export const wordPressLack = async (env: NodeJS.ProcessEnv): Promise<string | undefined> =>
  lacksOf(env).runtimes ??
  ((await findWordPress()) ? undefined : 'this machine has no WordPress with PHP, or no root')

/** Why the tests of a private registry beside a cluster cannot run. Installs one if it can be. */
export const privateRegistryLack = async (env: NodeJS.ProcessEnv): Promise<string | undefined> =>
  lacksOf(env).cluster ?? whyNoRegistry(env.KUBECONFIG ?? '')

/** Each reason once, with the parts that are skipped for it. Empty if all tests can run. */
export function skipNotice(lacks: Record<string, string | undefined>): string {
  const parts = new Map<string, string[]>()
  for (const [part, reason] of Object.entries(lacks))
    if (reason !== undefined) parts.set(reason, [...(parts.get(reason) ?? []), part])
  if (parts.size === 0) return ''
  const lines = [...parts].map(([reason, names]) => `  ${names.join(', ')}: ${reason}\n`)
  return `tests are skipped for ${parts.size} reasons:\n${lines.join('')}`
}
