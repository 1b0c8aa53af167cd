/** The value below which a share of the samples lies (nearest rank); `share` from 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other)
  const sample = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
  if (sample === undefined) throw new Error('there are no samples')
  return sample
}

/** The median; with an even count the mean of the two middle samples. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new Error('there are no samples')
  return (upper + lower) / 2
}

/** The smallest and the largest sample: another run on this machine may differ by as much. */
export const range = (samples: readonly number[], format: (value: number) => string) =>
  `${format(Math.min(...samples))}–${format(Math.max(...samples))}`
