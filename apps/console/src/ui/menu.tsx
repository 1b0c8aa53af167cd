import { Menu as Base } from '@base-ui/react/menu'
import Check from 'lucide-react/icons/check'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>

const itemClass =
  'control-height flex w-full items-center gap-2 rounded-md px-2 text-left outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover'

/** A menu that `trigger`, a button, opens. Its children are items, groups of choices and separators. */
export const Menu = ({ trigger, children }: { trigger: ReactElement; children: ReactNode }) => (
  <Base.Root modal={false}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-30">
        <Base.Popup className="max-h-(--available-height) min-w-44 origin-(--transform-origin) overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-raised transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

type ItemProps = {
  icon?: Icon
  children: ReactNode
  disabled?: boolean
  tone?: 'danger'
}

const itemTone = (tone?: 'danger') => classNames(itemClass, tone === 'danger' && 'text-danger')

const Content = ({ icon: Icon, children }: Pick<ItemProps, 'icon' | 'children'>) => (
  <>
    {Icon && <Icon className="size-4 shrink-0 opacity-80" aria-hidden />}
    {children}
  </>
)

/** Something a menu does. */
export const MenuItem = ({
  tone,
  disabled,
  onSelect,
  ...content
}: ItemProps & { onSelect: () => void }) => (
  <Base.Item className={itemTone(tone)} disabled={disabled} onClick={onSelect}>
    <Content {...content} />
  </Base.Item>
)

/** Somewhere a menu leads; `link` is the link element, without its text. */
export const MenuLink = ({ link, ...content }: ItemProps & { link: ReactElement }) => (
  <Base.LinkItem className={itemClass} render={link} closeOnClick>
    <Content {...content} />
  </Base.LinkItem>
)

/** Choices of which one holds. */
export function MenuChoices<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: { value: Value; label: string; icon?: Icon; lang?: string }[]
  onChange: (value: Value) => void
}) {
  return (
    <Base.RadioGroup
      value={value}
      onValueChange={(next: Value) => onChange(next)}
      aria-label={label}
    >
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          closeOnClick
          lang={option.lang}
          className={itemClass}
        >
          <Content icon={option.icon}>{option.label}</Content>
          <Base.RadioItemIndicator className="ml-auto">
            <Check className="size-4" aria-hidden />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

/** What a menu says about whom or what it is for; not an item. */
export const MenuHeading = ({ children }: { children: ReactNode }) => (
  <div className="mb-1 border-b border-line px-2 pt-1 pb-2">{children}</div>
)
