import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The parts of a cluster that are checked, in order. */
export const clusterParts = [
  'api_server',
  'permissions',
  'server_side_apply',
  'storage',
  'network_policy',
  'api_access',
  'user_namespaces',
  'edge',
  'images',
] as const
export type ClusterPart = (typeof clusterParts)[number]

/** The findings of a check; true if sites run with it. */
export const clusterFindings = {
  reachable: true,
  unreachable: false,
  permissions_granted: true,
  permissions_missing: false,
  server_side_apply: true,
  no_server_side_apply: false,
  storage_class: true,
  no_default_storage_class: false,
  storage_class_missing: false,
  network_policy_enforced: true,
  /** KUBERNETES_NETWORK_POLICY=enforced: nothing is tried. */
  network_policy_declared: true,
  /** KUBERNETES_NETWORK_POLICY=trusted: nothing is tried. */
  programs_trusted: true,
  network_policy_not_enforced: false,
  network_policy_not_tried: false,
  api_closed: true,
  /** The NetworkPolicy of sites lets them connect to the API server. */
  api_open: false,
  /** KUBERNETES_USER_NAMESPACES is off. */
  user_namespaces_off: true,
  user_namespaces: true,
  /** The API server drops the field, so pods run without user namespaces. */
  user_namespaces_ignored: false,
  no_user_namespaces: false,
  /** KUBERNETES_EDGE is not set: the gateway sends the requests. */
  no_edge: true,
  edge_api: true,
  edge_api_missing: false,
  images_by_digest: true,
  images_not_by_digest: false,
  /** An earlier part failed. */
  not_checked: false,
} as const
export type ClusterFinding = keyof typeof clusterFindings

const names = Object.keys(clusterFindings) as [ClusterFinding, ...ClusterFinding[]]

export const clusterCheckItem = z.object({
  cluster: z.string(),
  part: z.enum(clusterParts),
  finding: z.enum(names),
  passed: z.boolean(),
  /** A version, names, or the cluster's message, in English. */
  detail: z.nullable(z.string()),
})
export type ClusterCheckItem = z.output<typeof clusterCheckItem>
/** The result of one part; its finding says whether the part passed. */
export type ClusterResult = Omit<ClusterCheckItem, 'passed'>

/** A check of the clusters that run the sites, by a worker. */
export const clusterCheck = z.object({
  state: z.enum(['running', 'finished']),
  requestedAt: z.iso.datetime(),
  /** When the newest finished check ended; null before the first. */
  checkedAt: z.nullable(z.iso.datetime()),
  /** The findings of that check; empty before the first. */
  items: z.array(clusterCheckItem),
})
export type ClusterCheck = z.output<typeof clusterCheck>

export const startClusterCheck = endpoint('POST /operator/cluster/check', {
  summary: 'Check in the background whether the clusters can run sites',
  access: 'operator',
  response: clusterCheck,
  // `item_not_found`: the sites run on no cluster.
  errors: ['item_not_found'],
})

export const getClusterCheck = endpoint('GET /operator/cluster/check', {
  summary: 'Get the newest check of the clusters',
  access: 'operator',
  response: clusterCheck,
  // `item_not_found`: the sites run on no cluster, or none has been checked yet.
  errors: ['item_not_found'],
})

/**
 * New projects are placed in an `open` cluster, and in no `full` or `draining` one. Existing
 * projects stay.
 */
export const clusterStates = ['open', 'full', 'draining'] as const
export type ClusterState = (typeof clusterStates)[number]

export const cluster = z.object({
  name: z.string(),
  /** Null for a cluster that has the projects of all regions. */
  regionId: z.nullable(z.string()),
  state: z.enum(clusterStates),
  /** The most projects that it accepts; null without a limit. */
  capacity: z.nullable(z.int()),
  /** Its projects that are not deleted, and the projects that move to it. */
  projects: z.int(),
  /** When it stopped responding to a worker; null while it responds. */
  unreachableSince: z.nullable(z.iso.datetime()),
})
export type Cluster = z.output<typeof cluster>

export const listClusters = endpoint('GET /operator/cluster/all', {
  summary: 'List the clusters that run sites, with their state and room',
  access: 'operator',
  response: z.array(cluster),
})

export const changeClusterState = endpoint('PUT /operator/cluster/update/:name/state', {
  summary: 'Say whether new projects may be placed in a cluster',
  access: 'operator',
  params: { name: z.string().check(z.maxLength(63)) },
  body: z.object({ state: z.enum(clusterStates) }),
  response: cluster,
  errors: ['item_not_found'],
})
