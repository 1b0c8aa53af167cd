import { type ReactNode, useId } from 'react'

/** A bordered part of a page; its title is a heading and the accessible name. */
export function Card({
  title,
  actions,
  children,
}: {
  title?: string
  actions?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={title && id}
      className="rounded-md border border-line bg-surface p-4 sm:p-6"
    >
      {title && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}
