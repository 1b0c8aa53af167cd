import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

/** A short text beside what the pointer or the focus is on. It only repeats: `trigger` has its own name. */
export const Tooltip = ({ trigger, children }: { trigger: ReactElement; children: ReactNode }) => (
  <Base.Root>
    <Base.Trigger render={trigger} delay={200} />
    <Base.Portal>
      <Base.Positioner sideOffset={6} collisionPadding={8} className="z-50">
        <Base.Popup className="rounded-md border border-line bg-raised px-2 py-1 text-xs shadow-raised">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
