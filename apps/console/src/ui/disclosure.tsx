import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, useState } from 'react'

/** A line that expands to its content, which is rendered only while it is open. */
export function Disclosure({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="group min-w-0"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-md text-muted hover:text-fg pointer-coarse:py-3 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="-ml-1 size-4 shrink-0 transition-transform group-open:rotate-90"
          aria-hidden
        />
        {summary}
      </summary>
      {isOpen && <div className="pt-2">{children}</div>}
    </details>
  )
}
