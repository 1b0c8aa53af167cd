import type { PaletteItem } from './palette-item.ts'

/** One of the things found: on a phone its place stands below its name. */
export const PaletteRow = ({
  item: { icon: Icon, name, place, badge },
  hasPlace,
}: {
  item: PaletteItem
  hasPlace: boolean
}) => (
  <>
    <Icon className="size-4 shrink-0 text-muted" aria-hidden />
    <span className="flex min-w-0 flex-1 gap-x-3 max-sm:flex-col sm:items-center sm:justify-between">
      <span className="truncate">{name}</span>
      {hasPlace && (
        <span className="truncate text-xs text-muted sm:max-w-[45%] sm:shrink-0">{place}</span>
      )}
    </span>
    {badge}
  </>
)
