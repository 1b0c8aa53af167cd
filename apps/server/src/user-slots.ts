/** The slots of a process for long work, such as downloads, of which each user has a few. */
export function createUserSlots({ perUser, total }: { perUser: number; total: number }) {
  const takenByUser = new Map<string, number>()
  let taken = 0

  return {
    get taken() {
      return taken
    },
    /** Takes a slot, and returns the function that releases it; or whose limit is reached. */
    take(userId: string): (() => void) | 'user' | 'process' {
      const ofUser = takenByUser.get(userId) ?? 0
      if (ofUser >= perUser) return 'user'
      if (taken >= total) return 'process'
      takenByUser.set(userId, ofUser + 1)
      taken++
      return () => {
        taken--
        const remaining = (takenByUser.get(userId) ?? 1) - 1
        if (remaining === 0) takenByUser.delete(userId)
        else takenByUser.set(userId, remaining)
      }
    },
  }
}
