import type { ComponentProps, ComponentType } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'
import { Tooltip } from './tooltip.tsx'
import { useIsSlow } from './use-is-slow.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

const variants = {
  primary: 'border-transparent bg-accent-fill text-on-fill hover:bg-accent-fill-hover',
  secondary: 'border-control bg-surface text-fg hover:bg-hover',
  /** An action of a row, as many as the list has rows. */
  row: 'border-transparent text-fg hover:bg-hover',
  quiet: 'border-transparent text-muted hover:bg-hover hover:text-fg',
  /** Opens the confirmation of a deletion, which has the filled button. */
  deletes: 'border-control bg-surface text-danger hover:bg-hover',
  danger: 'border-transparent bg-danger-fill text-on-fill hover:bg-danger-fill-hover',
  current: 'border-transparent bg-accent-soft text-accent',
  unavailable: 'border-line text-muted',
}

export type ButtonVariant = keyof typeof variants

/** The classes of a button, for links that look like one. */
export const buttonClass = (variant: ButtonVariant = 'secondary', iconOnly = false) =>
  classNames(
    'control-height relative min-w-(--control-height) inline-flex select-none items-center justify-center gap-2 rounded-md border align-middle font-medium whitespace-nowrap transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-default',
    !iconOnly && 'px-3',
    variants[variant],
  )

/**
 * The actions of a row: their texts, not their invisible borders, are at its edges and on its first
 * line.
 */
export const rowActionsClass = '-mx-3 flex shrink-0 flex-wrap -my-1.5'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>

type Props = Omit<ComponentProps<'button'>, 'className'> & {
  variant?: ButtonVariant
  icon?: Icon
  /**
   * The action is running: the button keeps the focus, ignores clicks and shows a spinner once it
   * is slow.
   */
  pending?: boolean
}

/** A button. It submits a form only with `type="submit"`. */
export function Button({ variant, icon: Icon, pending, children, onClick, ...rest }: Props) {
  const isSlow = useIsSlow(pending)
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(variant)}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={(event) => (pending ? event.preventDefault() : onClick?.(event))}
    >
      {/* In place of the icon, or over the text: the button keeps its width. */}
      {isSlow && (
        <span className={Icon ? undefined : 'absolute'}>
          <Spinner />
        </span>
      )}
      {Icon && !isSlow && <Icon className="size-4 shrink-0" aria-hidden />}
      {isSlow && !Icon ? <span className="opacity-0">{children}</span> : children}
    </button>
  )
}

/** A button with an icon only; `label` is its accessible name. */
export function IconButton({
  icon: Icon,
  label,
  tooltip = label,
  variant = 'quiet',
  ...rest
}: Omit<ComponentProps<'button'>, 'className' | 'children'> & {
  icon: Icon
  label: string
  /** Another text than the label; none if it is empty. */
  tooltip?: string
  variant?: ButtonVariant
}) {
  return (
    <Tooltip text={tooltip}>
      <button type="button" {...rest} className={buttonClass(variant, true)}>
        <Icon className="size-4 shrink-0" aria-hidden />
        <VisuallyHidden>{label}</VisuallyHidden>
      </button>
    </Tooltip>
  )
}
