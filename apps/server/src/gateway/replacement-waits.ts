import { setTimeout as sleep } from 'node:timers/promises'
import type { Site, SiteAddress } from './pools.ts'

export type ReplacementWaitOptions = {
  addressOf: (site: Site) => SiteAddress
  /** The longest wait of a request, in milliseconds. */
  timeoutMs?: number | undefined
  /** Requests that may wait for one site, and for all. */
  maxWaitingPerSite?: number
  maxWaiting?: number
}

/**
 * Waits before the next attempt of a request that no pod of its site has accepted. Resolves with
 * false when there is none: the request has waited too long, or too many others wait.
 */
export type NextAttempt = () => Promise<boolean>

/** As long as a request waits for a site that wakes. */
const defaultTimeoutMs = 10_000
const defaultMaxWaitingPerSite = 100
const defaultMaxWaiting = 1_000
const pauseMs = 100

/**
 * Lets requests wait while a pod of their site replaces another one: the address of the new pod
 * reaches a gateway a little later than the old pod ends. A site on this machine has one address,
 * and no request waits for it.
 */
export function createReplacementWaits(options: ReplacementWaitOptions) {
  const { addressOf, timeoutMs = defaultTimeoutMs } = options
  const { maxWaitingPerSite = defaultMaxWaitingPerSite, maxWaiting = defaultMaxWaiting } = options
  const waitingPerSite = new Map<string, number>()
  let waiting = 0

  const isOnThisMachine = (site: Site) => {
    const address = addressOf(site)
    return address !== null && 'socketPath' in address
  }

  async function pause({ key }: Site) {
    const count = waitingPerSite.get(key) ?? 0
    waitingPerSite.set(key, count + 1)
    waiting += 1
    await sleep(pauseMs)
    waiting -= 1
    const others = (waitingPerSite.get(key) ?? 1) - 1
    if (others > 0) waitingPerSite.set(key, others)
    else waitingPerSite.delete(key)
  }

  /** `mayWait`: false once the site is not to run, or the visitor has left. */
  return function begin(site: Site, mayWait: () => boolean): NextAttempt {
    const endsAt = performance.now() + timeoutMs
    return async () => {
      do {
        const isFull =
          waiting >= maxWaiting || (waitingPerSite.get(site.key) ?? 0) >= maxWaitingPerSite
        if (isFull || performance.now() >= endsAt) return false
        if (!mayWait() || isOnThisMachine(site)) return false
        await pause(site)
      } while (addressOf(site) === null)
      return mayWait()
    }
  }
}
