import type { PaletteItem } from './palette-item.ts'

/** An item. On a phone its category is below its name. */
export const PaletteRow = ({
  item: { icon: Icon, name, category, badge },
  hasCategory,
}: {
  item: PaletteItem
  hasCategory: boolean
}) => (
  <>
    <Icon className="size-4 shrink-0 text-muted" aria-hidden />
    <span className="flex min-w-0 flex-1 gap-x-3 max-sm:flex-col sm:items-center sm:justify-between">
      <span className="truncate">{name}</span>
      {hasCategory && (
        <span className="truncate text-xs text-muted sm:max-w-[45%] sm:shrink-0">{category}</span>
      )}
    </span>
    {badge}
  </>
)
