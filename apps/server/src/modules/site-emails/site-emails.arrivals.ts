/** Emails that a site may send at once, as in the local engine. */
const maxPerSite = 4
/** Emails of all sites that one server receives at once: 64 MB at most. */
const maxOfAllSites = 32

/** Counts the emails that arrive, which are in memory until they are stored. */
export function createArrivals() {
  const bySite = new Map<string, number>()
  let total = 0
  return {
    /** False when too many arrive. */
    begin(key: string): boolean {
      const count = bySite.get(key) ?? 0
      if (count >= maxPerSite || total >= maxOfAllSites) return false
      bySite.set(key, count + 1)
      total += 1
      return true
    },
    end(key: string) {
      const count = bySite.get(key) ?? 0
      if (count > 1) bySite.set(key, count - 1)
      else bySite.delete(key)
      total -= 1
    },
  }
}
