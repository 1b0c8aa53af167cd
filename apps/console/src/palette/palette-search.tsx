import { Autocomplete } from '@base-ui/react/autocomplete'
import { m } from '@slipway/phrases'
import { useNavigate } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react'
import { closeOverlay } from '../shell/shortcuts/open-overlay.ts'
import { IconButton } from '../ui/button.tsx'
import { PaletteFooter } from './palette-footer.tsx'
import { type PaletteGroup, paletteGroups } from './palette-groups.ts'
import type { PaletteItem } from './palette-item.ts'
import { indexItems, namesAction } from './palette-rank.ts'
import { PaletteRow } from './palette-row.tsx'
import { recentItems, rememberItem } from './recent-items.ts'
import { usePaletteItems } from './use-palette-items.ts'

type ModifierKeys = { ctrlKey: boolean; metaKey: boolean }

/**
 * Opens or runs an item. The palette closes first, so that the focus returns before the page
 * changes.
 */
function useOpenItem() {
  const navigate = useNavigate()
  return (item: PaletteItem, { ctrlKey, metaKey }: ModifierKeys) => {
    rememberItem(item.id)
    if (item.to !== undefined && (ctrlKey || metaKey))
      return void window.open(item.to, '_blank', 'noopener')
    closeOverlay()
    if (item.to === undefined) item.run()
    else void navigate({ href: item.to })
  }
}

function usePalette() {
  const { pages, actions, projects, resources, isLoading, hasFailed } = usePaletteItems()
  const [query, setQuery] = useState('')
  const [recent] = useState(recentItems)
  const resourceIndex = useMemo(() => indexItems(resources), [resources])
  const actionIndex = useMemo(
    () => indexItems(projects.flatMap((project) => project.actions ?? [])),
    [projects],
  )
  const index = [
    ...indexItems([...pages, ...actions]),
    ...resourceIndex,
    ...actionIndex.filter(({ item, name }) => namesAction(query, item, name)),
  ]
  const { groups, count } = paletteGroups(query, { pages, actions, projects, index, recent })
  return { query, setQuery, groups, count, isLoading, hasFailed }
}

function statusText({ query, count, isLoading, hasFailed }: ReturnType<typeof usePalette>) {
  const results =
    count === null ? '' : count > 0 ? m.palette_count({ count }) : m.palette_none({ query })
  const state = isLoading ? m.palette_loading() : hasFailed ? m.palette_incomplete() : ''
  return [results, state].filter(Boolean).join('. ')
}

export function PaletteSearch() {
  const palette = usePalette()
  const { query, setQuery, groups, count, isLoading, hasFailed } = palette
  const openItem = useOpenItem()
  const highlighted = useRef<PaletteItem | undefined>(undefined)

  /** Base UI does not report the modifier keys. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (!(event.ctrlKey || event.metaKey) || !highlighted.current) return
    event.preventDefault()
    event.stopPropagation()
    openItem(highlighted.current, event)
  }

  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      mode="none"
      // Without results the list shows pages, which Enter must not open.
      autoHighlight={count === 0 ? false : 'always'}
      keepHighlight
      value={query}
      onValueChange={setQuery}
      itemToStringValue={({ name }: PaletteItem) => name}
      onItemHighlighted={(item) => {
        highlighted.current = item
      }}
    >
      <div className="flex items-center gap-3 border-b border-line px-4 py-1">
        <Search className="size-4 shrink-0 text-muted" aria-hidden />
        <Autocomplete.Input
          aria-label={m.palette_title()}
          placeholder={m.palette_hint()}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          onKeyDownCapture={onKeyDown}
          className="h-11 min-w-0 flex-1 bg-transparent text-base text-fg outline-none placeholder:text-muted"
        />
        <span className="sm:pointer-fine:hidden">
          <IconButton icon={X} label={m.shell_dismiss()} onClick={closeOverlay} />
        </span>
      </div>
      <div className="flex min-h-0 flex-col max-sm:flex-1 sm:h-112">
        {count === 0 && (
          <div className="px-4 pt-4 pb-2" aria-hidden>
            <p className="font-medium wrap-anywhere">{m.palette_none({ query: query.trim() })}</p>
            <p className="text-muted">{m.palette_none_hint()}</p>
          </div>
        )}
        <Autocomplete.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2">
          {(group: PaletteGroup) => <Group key={group.label} group={group} onOpen={openItem} />}
        </Autocomplete.List>
      </div>
      <Autocomplete.Status className="sr-only">{statusText(palette)}</Autocomplete.Status>
      <PaletteFooter
        state={isLoading ? m.palette_loading() : hasFailed ? m.palette_incomplete() : ''}
      />
    </Autocomplete.Root>
  )
}

const Group = ({
  group,
  onOpen,
}: {
  group: PaletteGroup
  onOpen: (item: PaletteItem, keys: ModifierKeys) => void
}) => (
  <Autocomplete.Group items={group.items} className="not-first:mt-2">
    <Autocomplete.GroupLabel className="px-2 py-1 text-xs text-muted">
      {group.label}
    </Autocomplete.GroupLabel>
    <Autocomplete.Collection>
      {(item: PaletteItem) => (
        <Autocomplete.Item
          key={item.id}
          value={item}
          onClick={(event: MouseEvent) => onOpen(item, event)}
          className="flex min-h-9 scroll-my-2 items-center gap-3 rounded-md px-2 py-1 outline-none select-none pointer-coarse:min-h-11 data-highlighted:bg-accent-soft"
        >
          <PaletteRow item={item} hasCategory={!group.isOneCategory} />
        </Autocomplete.Item>
      )}
    </Autocomplete.Collection>
  </Autocomplete.Group>
)
