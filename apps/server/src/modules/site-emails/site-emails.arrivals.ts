/** Emails that a site may send at once, as on one machine. */
const perSite = 4
/** Emails of all sites that one server receives at once: 64 MB at most. */
const inAll = 32

/** Counts the emails that arrive, which are in memory until they are stored. */
export function createArrivals() {
  const bySite = new Map<string, number>()
  let all = 0
  return {
    /** False when too many arrive. */
    begin(key: string): boolean {
      const own = bySite.get(key) ?? 0
      if (own >= perSite || all >= inAll) return false
      bySite.set(key, own + 1)
      all += 1
      return true
    },
    end(key: string) {
      const own = bySite.get(key) ?? 0
      if (own > 1) bySite.set(key, own - 1)
      else bySite.delete(key)
      all -= 1
    },
  }
}
