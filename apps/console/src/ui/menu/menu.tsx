import { type ComponentType, type ReactElement, type ReactNode, useRef, useState } from 'react'
import { type ButtonVariant, IconButton } from '../button.tsx'
import { useOnDemand } from '../on-demand.ts'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>

export type MenuAction = {
  kind: 'action'
  label: string
  icon?: Icon
  onSelect: () => void
  disabled?: boolean
  /** Why it is disabled. */
  hint?: string | undefined
  tone?: 'danger'
}

/** `link` is the link's element without its text. */
export type MenuLink = { kind: 'link'; label: string; icon?: Icon; link: ReactElement }

/** Radio items. */
export type MenuChoices = {
  kind: 'choices'
  value: string
  options: { value: string; label: string; icon?: Icon; lang?: string }[]
  onChange: (value: string) => void
}

export type MenuEntry = MenuAction | MenuLink | MenuChoices

type Props = {
  /** The name of the button and of the menu. */
  label: string
  icon: Icon
  variant?: ButtonVariant
  /** Shows above the entries, such as the user's name. */
  heading?: ReactNode
  entries: MenuEntry[]
}

const loadPopup = () => import('./menu-popup.tsx')

export function Menu({ label, icon, variant, heading, entries }: Props) {
  const [open, setOpen] = useState(false)
  const [byKey, setByKey] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const popup = useOnDemand(loadPopup)

  async function change(next: boolean, isByKey: boolean) {
    setByKey(isByKey)
    setOpen(next)
    // The chunk could not be loaded; the next click requests it again.
    if (!(await popup.preload())) setOpen(false)
  }

  return (
    <>
      <IconButton
        ref={trigger}
        icon={icon}
        variant={variant}
        label={label}
        tooltip={open ? '' : label}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={popup.preload}
        onFocus={popup.preload}
        // `detail` counts clicks; it is 0 for a key.
        onClick={(event) => change(!open, event.detail === 0)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          change(true, true)
        }}
      />
      {popup.part && (
        <popup.part.MenuPopup
          open={open}
          byKey={byKey}
          onOpenChange={setOpen}
          trigger={trigger}
          label={label}
          heading={heading}
          entries={entries}
        />
      )}
    </>
  )
}
