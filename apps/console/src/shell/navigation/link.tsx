import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { type ButtonVariant, buttonClass } from '../../ui/button.tsx'
import { labelLinkClass, linkClass } from '../../ui/link-class.ts'

type Props = Pick<LinkProps, 'to' | 'search' | 'replace'> & {
  children: ReactNode
  onClick?: () => void
}

/** A link in a text; `to` is a path of `paths`. */
export const TextLink = (props: Props) => <Link {...props} className={linkClass} />

/** A link beside the label of a field. */
export const LabelLink = (props: Props) => <Link {...props} className={labelLinkClass} />

export const ButtonLink = ({
  variant,
  icon: Icon,
  children,
  ...props
}: Props & {
  variant?: ButtonVariant
  icon?: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
}) => (
  <Link {...props} className={buttonClass(variant)}>
    {Icon && <Icon className="size-4 shrink-0" aria-hidden />}
    {children}
  </Link>
)
