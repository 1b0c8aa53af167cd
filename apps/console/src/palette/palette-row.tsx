import type { PaletteItem } from './palette-item.ts'

/** One of the things found. Its place gives way first where there is little room. */
export const PaletteRow = ({ item: { icon: Icon, name, place, badge } }: { item: PaletteItem }) => (
  <>
    <Icon className="size-4 shrink-0 text-muted" aria-hidden />
    <span className="min-w-0 flex-1 truncate">{name}</span>
    {badge}
    <span className="max-w-[40%] shrink-0 truncate text-xs text-muted max-sm:max-w-[30%]">
      {place}
    </span>
  </>
)
