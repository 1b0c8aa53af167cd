const width = 64
const height = 24

/** A line without axes; the text beside it says what it shows. */
export function SparkLine({ values }: { values: readonly number[] }) {
  const top = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const points = values
    .map(
      (value, index) =>
        `${(index * step).toFixed(1)},${(height - 1 - (value / top) * (height - 2)).toFixed(1)}`,
    )
    .join(' ')
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-6 w-16 shrink-0 text-accent"
      aria-hidden
    >
      <polygon points={`0,${height} ${points} ${width},${height}`} className="fill-accent-soft" />
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
