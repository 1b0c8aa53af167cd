/** The value below which a share of the samples lies (nearest rank); `share` from 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other)
  const found = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
  if (found === undefined) throw new Error('there are no samples')
  return found
}

/** The middle sample; the mean of the two in the middle when their number is even. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new Error('there are no samples')
  return (upper + lower) / 2
}

/** How far apart the rounds lie: what another run on such a machine may differ by. */
export const range = (samples: readonly number[], format: (value: number) => string) =>
  `${format(Math.min(...samples))}–${format(Math.max(...samples))}`
