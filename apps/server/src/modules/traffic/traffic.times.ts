/** Each bucket ends 25 % above the previous one, so a figure is off by at most 12 %. */
const growth = 1.25
/** The last bucket starts at 45 seconds. */
export const timeBuckets = 50

const logGrowth = Math.log(growth)

/** The bucket of a response time in milliseconds: 0 for less than one. */
export const bucketOf = (ms: number): number =>
  ms < 1 ? 0 : Math.min(timeBuckets - 1, 1 + Math.floor(Math.log(ms) / logGrowth))

const startOf = (bucket: number) => (bucket === 0 ? 0 : growth ** (bucket - 1))

/** The quantile `share` of the response times, in milliseconds; null without responses. */
export function quantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rank = share * total
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && rank <= count) {
      const [start, end] = [startOf(bucket), startOf(bucket + 1)]
      return Math.round((start + (end - start) * (rank / count)) * 10) / 10
    }
    rank -= count
  }
  return startOf(timeBuckets)
}

export function addCounts(sum: number[], counts: readonly number[]) {
  for (const [bucket, count] of counts.entries()) sum[bucket] = (sum[bucket] ?? 0) + count
}
