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
 * Waits before the next attempt of a request that no pod of its site has accepted. Resolves to
 * false if there is no next attempt: the request waited too long, or too many others wait.
 */
export type NextAttempt = () => Promise<boolean>

/** The same as for a site that wakes. */
const defaultTimeoutMs = 10_000
const defaultMaxWaitingPerSite = 100
const defaultMaxWaiting = 1_000
const pauseMs = 100
/** After a failed wait, no request of the site waits for this time. */
const giveUpMs = 60_000

const nameOf = (address: SiteAddress) => JSON.stringify(address)

/**
 * Lets requests wait while a pod of their site replaces another one: a gateway learns the new pod's
 * address a little after the old pod ends. A site on this machine has one address, and no request
 * waits for it. After a failed wait no request waits for a minute, unless the address changes: a
 * program that keeps crashing has no next pod.
 */
export function createReplacementWaits(options: ReplacementWaitOptions) {
  const { addressOf, timeoutMs = defaultTimeoutMs } = options
  const { maxWaitingPerSite = defaultMaxWaitingPerSite, maxWaiting = defaultMaxWaiting } = options
  const waitingPerSite = new Map<string, number>()
  let waiting = 0
  /** By site, the address at the time of a failed wait. */
  const givenUp = new Map<string, string>()

  const idOf = ({ cluster, key }: Site) => `${cluster}/${key}`
  const isGivenUp = (site: Site) => givenUp.get(idOf(site)) === nameOf(addressOf(site))

  function giveUp(site: Site) {
    const id = idOf(site)
    if (!givenUp.has(id)) setTimeout(() => givenUp.delete(id), giveUpMs).unref()
    givenUp.set(id, nameOf(addressOf(site)))
  }

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

  /** `mayWait`: false once the site is no longer ready, or the visitor has left. */
  return function begin(site: Site, mayWait: () => boolean): NextAttempt {
    const endsAt = performance.now() + timeoutMs
    return async () => {
      do {
        const isFull =
          waiting >= maxWaiting || (waitingPerSite.get(site.key) ?? 0) >= maxWaitingPerSite
        if (isFull || !mayWait() || isOnThisMachine(site) || isGivenUp(site)) return false
        if (performance.now() >= endsAt) {
          giveUp(site)
          return false
        }
        await pause(site)
      } while (addressOf(site) === null)
      return mayWait()
    }
  }
}
