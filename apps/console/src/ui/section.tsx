import { type ReactNode, useId } from 'react'

/** A part of a page whose content has a border of its own, such as a table; its title is a heading and its name. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
