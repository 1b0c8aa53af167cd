import { Menu } from '@base-ui/react/menu'
import Check from 'lucide-react/icons/check'
import {
  type ComponentType,
  type FocusEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import { classNames } from '../class-names.ts'
import type { MenuAction, MenuEntry } from './menu.tsx'

type Props = {
  open: boolean
  /** Opened by a key: the focus then goes to an item instead of the whole menu. */
  byKey: boolean
  onOpenChange: (open: boolean) => void
  trigger: RefObject<HTMLElement | null>
  label: string
  heading?: ReactNode
  entries: MenuEntry[]
}

export function MenuPopup({ open, byKey, onOpenChange, trigger, label, heading, entries }: Props) {
  const hasFocusedItem = useRef(false)
  useEffect(() => {
    if (!open) hasFocusedItem.current = false
  }, [open])

  /** The menu renders in its button's landmark, where assistive technology looks for it. */
  const landmark = () =>
    trigger.current?.closest<HTMLElement>('main') ?? trigger.current?.closest<HTMLElement>('header')

  /** A dialog that an entry opened has the focus and restores it itself. */
  const focusAfter = () =>
    document.activeElement?.closest('[role$="dialog"]') ? false : trigger.current

  /** Base UI focuses the whole menu first; after a key, this moves the focus to an item, once. */
  function focusItem({ target, currentTarget: menu }: FocusEvent<HTMLElement>) {
    if (!byKey || hasFocusedItem.current || target !== menu) return
    hasFocusedItem.current = true
    const checked = menu.querySelector<HTMLElement>('[aria-checked="true"]')
    const first = menu.querySelector<HTMLElement>('[role^="menuitem"]')
    ;(checked ?? first)?.focus()
  }

  return (
    <Menu.Root
      modal={false}
      open={open}
      onOpenChange={(next, { event, cancel }) => {
        // The button opens and closes the menu itself: a click on it is not a click outside.
        const onTrigger = event.target instanceof Node && trigger.current?.contains(event.target)
        if (!next && onTrigger && event.type !== 'keydown') cancel()
        else onOpenChange(next)
      }}
    >
      <Menu.Portal container={landmark()}>
        <Menu.Positioner
          anchor={trigger}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-30"
        >
          <Menu.Popup
            aria-label={label}
            finalFocus={focusAfter}
            onFocus={focusItem}
            className="max-h-(--available-height) max-w-80 min-w-44 overflow-y-auto rounded-md border border-line bg-raised p-1 elevated transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {heading && <div className="mb-1 border-b border-line px-2 pt-1 pb-2">{heading}</div>}
            {entries.map((entry) => (
              <Entry
                key={entry.kind === 'choices' ? entry.kind : entry.label}
                entry={entry}
                menuLabel={label}
              />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const entryClass =
  'control-height flex w-full items-center gap-2 rounded-md px-2 text-left outline-none select-none data-disabled:opacity-50 data-highlighted:bg-accent-soft'

function Entry({ entry, menuLabel }: { entry: MenuEntry; menuLabel: string }) {
  switch (entry.kind) {
    case 'action':
      return <Action {...entry} />
    case 'link':
      return (
        <Menu.LinkItem className={entryClass} render={entry.link} closeOnClick>
          <Content {...entry} />
        </Menu.LinkItem>
      )
    case 'choices':
      return (
        <Menu.RadioGroup value={entry.value} onValueChange={entry.onChange} aria-label={menuLabel}>
          {entry.options.map((option) => (
            <Menu.RadioItem
              key={option.value}
              value={option.value}
              closeOnClick
              lang={option.lang}
              className={entryClass}
            >
              <Content {...option} />
              <Menu.RadioItemIndicator className="ml-auto">
                <Check className="size-4" aria-hidden />
              </Menu.RadioItemIndicator>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      )
  }
}

const hintedClass =
  'grid gap-1 rounded-md px-2 py-1.5 text-left outline-none select-none data-highlighted:bg-accent-soft'

function Action({ label, icon, onSelect, disabled, hint, tone }: MenuAction) {
  const look = hint ? hintedClass : entryClass
  return (
    <Menu.Item
      className={classNames(look, tone === 'danger' && 'text-danger')}
      disabled={disabled}
      onClick={onSelect}
    >
      {hint ? (
        <>
          <span className="flex items-center gap-2 opacity-50">
            <Content icon={icon} label={label} />
          </span>
          <span className="text-xs text-muted">{hint}</span>
        </>
      ) : (
        <Content icon={icon} label={label} />
      )}
    </Menu.Item>
  )
}

const Content = ({
  icon: Icon,
  label,
}: {
  icon?: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  label: string
}) => (
  <>
    {Icon && <Icon className="size-4 shrink-0 opacity-80" aria-hidden />}
    {label}
  </>
)
