import { createHash } from 'node:crypto'

/** Kubernetes allows 63 characters (RFC 1123). */
const maxNameLength = 63
const digestLength = 10

/** A domain without owners, so that our labels are ours alone (ICANN's .internal). */
const domain = 'slipway.internal'

export const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  /** The installation of Slipway, of which a cluster may have several. */
  installation: `${domain}/installation`,
  key: `${domain}/key`,
  /** The launch of a pod: a pod of another launch replaces it. */
  launch: `${domain}/launch`,
  /** The release whose packages a pod installs. */
  install: `${domain}/install`,
  /** The id of a network trial, to which the object belongs instead of a project. */
  trial: `${domain}/trial`,
  /**
   * On a pod that moves the files of a project: the project's key. Such a pod does not serve the
   * site.
   */
  content: `${domain}/content`,
} as const

export const annotations = {
  /** The digest of the object's desired state. */
  intent: `${domain}/intent`,
  /** On the namespace: the state that the engine applied last (`AppliedRecord`). */
  applied: `${domain}/applied`,
} as const

/** The names of a project's objects, in its own namespace. */
export const names = {
  /** The Deployment of a site, and its container. */
  site: 'site',
  quota: 'size',
  limits: 'size',
  policy: 'site',
  /** The settings of a starter site. */
  settings: 'settings',
  fetch: 'fetch-release',
  data: 'data',
  /** The pod that moves the files of a project to another cluster. */
  content: 'content',
  /** The Secret with the credentials of the registry of an image. */
  registry: 'registry',
  install: 'install-packages',
} as const

/**
 * The Secret with variables of a site. Other variables have another one: while a release is tried,
 * the running pod may restart and needs its own.
 */
export const environmentSecret = (digest: string) => `environment-${digest.slice(0, 16)}`

/** The Secret with the address of a release's files. Each release has its own. */
export const releaseSecret = (artifact: string) => `release-${artifact.slice(0, 16)}`

/**
 * The namespace of a project. A name that would exceed 63 characters is cut and ends in a digest of
 * the key.
 */
export function namespaceOf(installation: string, key: string): string {
  const name = `${installation}-${key}`
  if (name.length <= maxNameLength) return name
  const digest = createHash('sha256').update(key).digest('hex').slice(0, digestLength)
  const start = name.slice(0, maxNameLength - digestLength - 1).replace(/-+$/, '')
  return `${start}-${digest}`
}

/** The labels of all our objects in a cluster. */
export const ownLabels = (installation: string): Record<string, string> => ({
  [labels.managedBy]: 'slipway',
  [labels.installation]: installation,
})

export const projectLabels = (installation: string, key: string): Record<string, string> => ({
  ...ownLabels(installation),
  [labels.key]: key,
})

export const selectorOf = (matchLabels: Readonly<Record<string, string>>): string =>
  Object.entries(matchLabels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')

export const isOurs = (
  installation: string,
  { labels: objectLabels = {} }: { labels?: Readonly<Record<string, string>> | undefined },
): boolean =>
  Object.entries(ownLabels(installation)).every(([name, value]) => objectLabels[name] === value)
