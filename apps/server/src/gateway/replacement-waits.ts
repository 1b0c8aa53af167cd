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
/** After a wait in vain, the time in which no other request of the site waits. */
const giveUpMs = 60_000

const nameOf = (address: SiteAddress) => JSON.stringify(address)

/**
 * Lets requests wait while a pod of their site replaces another one: the address of the new pod
 * reaches a gateway a little later than the old pod ends. A site on this machine has one address,
 * and no request waits for it. Nor does one for a minute after another has waited in vain, unless
 * the address has changed: a program that crashes again and again has no next pod.
 */
export function createReplacementWaits(options: ReplacementWaitOptions) {
  const { addressOf, timeoutMs = defaultTimeoutMs } = options
  const { maxWaitingPerSite = defaultMaxWaitingPerSite, maxWaiting = defaultMaxWaiting } = options
  const waitingPerSite = new Map<string, number>()
  let waiting = 0
  /** The addresses of sites for which a request has waited in vain. */
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

  /** `mayWait`: false once the site is not to run, or the visitor has left. */
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
