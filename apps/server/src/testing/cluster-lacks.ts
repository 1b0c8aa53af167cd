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

/** Each reason once, with the parts that are skipped for it. Empty if all tests can run. */
export function skipNotice(env: NodeJS.ProcessEnv): string {
  const parts = new Map<string, string[]>()
  for (const [part, reason] of Object.entries(lacksOf(env)))
    if (reason !== undefined) parts.set(reason, [...(parts.get(reason) ?? []), part])
  if (parts.size === 0) return ''
  const lines = [...parts].map(([reason, names]) => `  ${names.join(', ')}: ${reason}\n`)
  return `tests are skipped for ${parts.size} reasons:\n${lines.join('')}`
}
