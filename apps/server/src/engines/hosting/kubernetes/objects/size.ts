/** The resources that a site may use. */
export type Size = {
  memoryMiB: number
  cpuMillis: number
  /** The part of `cpuMillis` that the site gets on a busy node. */
  reservedCpuMillis: number
  diskMiB: number
}

/** The same as in the local engine. */
export const defaultSize: Size = {
  memoryMiB: 512,
  cpuMillis: 1000,
  reservedCpuMillis: 100,
  diskMiB: 1024,
}

/** A site reserves half of its memory: few use all of theirs at once. */
const reservedMemory = 0.5

/**
 * While a release replaces another, a site has two pods, and a third may still be terminating.
 */
const podsAtOnce = 3

/** The pod that copies the files of a site, beside the site's own pods. */
const copySize: Size = {
  memoryMiB: 256,
  cpuMillis: 1000,
  reservedCpuMillis: 100,
  diskMiB: 0,
}

/** The copy of a database, which is at most as large as all files of an archive. */
const databaseMiB = 2048
// 16 MiB for everything else in the folder.
export const databaseCopySize = `${databaseMiB + 16}Mi`

const mebibytes = (count: number) => `${Math.ceil(count)}Mi`
const millis = (count: number) => `${Math.ceil(count)}m`

/** The files of a release with its packages. */
const releaseMiB = 1536
export const releaseSize = mebibytes(releaseMiB)

/**
 * The resources of the site's container. The files of a release are in the pod's temporary storage.
 */
export const containerResources = (
  { memoryMiB, cpuMillis, reservedCpuMillis }: Size,
  { hasRelease = false } = {},
) => ({
  requests: {
    cpu: millis(reservedCpuMillis),
    memory: mebibytes(memoryMiB * reservedMemory),
    'ephemeral-storage': '16Mi',
  },
  limits: {
    cpu: millis(cpuMillis),
    memory: mebibytes(memoryMiB),
    'ephemeral-storage': mebibytes(256 + (hasRelease ? releaseMiB : 0)),
  },
})

/** The resources of the container that copies the files of a site. */
export function copyResources(hasDatabases: boolean) {
  const { requests, limits } = containerResources(copySize)
  if (!hasDatabases) return { requests, limits }
  return { requests, limits: { ...limits, 'ephemeral-storage': mebibytes(256 + databaseMiB) } }
}

/** The resources of the container that installs packages: the quota that the site leaves. */
export const installResources = ({ memoryMiB, cpuMillis, reservedCpuMillis }: Size) => ({
  requests: {
    cpu: millis(reservedCpuMillis),
    memory: mebibytes(memoryMiB * reservedMemory),
    'ephemeral-storage': '16Mi',
  },
  limits: {
    cpu: millis(cpuMillis * (podsAtOnce - 1)),
    memory: mebibytes(memoryMiB * (podsAtOnce - 1)),
    // The app with its packages, and npm's cache.
    'ephemeral-storage': mebibytes(256 + 2 * releaseMiB),
  },
})

/**
 * The quota of a project's namespace, with room for one pod that copies files. Without an edge it
 * allows no Services. With one, it does not limit them: Kubernetes applies a raised quota late, and
 * would reject the Service until then.
 */
export const quota = ({ memoryMiB, cpuMillis, diskMiB }: Size, hasEdge = false) => ({
  hard: {
    pods: String(podsAtOnce + 1),
    'limits.cpu': millis(cpuMillis * podsAtOnce + copySize.cpuMillis),
    'limits.memory': mebibytes(memoryMiB * podsAtOnce + copySize.memoryMiB),
    'requests.storage': mebibytes(diskMiB),
    persistentvolumeclaims: '1',
    ...(hasEdge ? {} : { services: '0' }),
  },
})

/** The limits of a container that states none. */
export const defaultLimits = (size: Size) => {
  const { requests, limits } = containerResources(size)
  return { limits: [{ type: 'Container', default: limits, defaultRequest: requests }] }
}

export const volumeSize = ({ diskMiB }: Size) => mebibytes(diskMiB)
