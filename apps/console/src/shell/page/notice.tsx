import type { ReactNode } from 'react'
import { ButtonLink } from '../navigation/link.tsx'

export const Notice = ({
  drawing,
  title,
  children,
  link,
}: {
  drawing?: ReactNode
  title: string
  children: ReactNode
  link: { to: string; label: string }
}) => (
  <div className="grid justify-items-center gap-3 py-16 text-center">
    {drawing}
    <h1 tabIndex={-1} className="text-xl leading-8 font-semibold tracking-tight wrap-anywhere">
      {title}
    </h1>
    <p className="max-w-md text-muted">{children}</p>
    <div className="pt-2">
      <ButtonLink to={link.to}>{link.label}</ButtonLink>
    </div>
  </div>
)
