/** In pixels. */
const heights = [64, 48, 32, 40, 80, 112, 144, 160, 152, 128, 120, 96]

/** The bars of a chart while its figures load, 160 pixels high. */
export const BarsSkeleton = () => (
  <div aria-hidden className="flex w-full items-end gap-2">
    {heights.map((height) => (
      <span key={height} style={{ height }} className="flex-1 animate-shimmer rounded-md bg-line" />
    ))}
  </div>
)
