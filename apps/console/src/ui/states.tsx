import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Buoy, EmptySlip } from './drawings.tsx'

type Texts = {
  title: string
  children?: ReactNode
  action?: ReactNode
  /** The state replaces the whole page: its title is the page's heading. */
  page?: boolean
  /** A card around the state has the border. */
  inCard?: boolean
}

const State = ({
  drawing,
  title,
  children,
  action,
  page,
  inCard,
  frame,
}: Texts & { drawing: ReactNode; frame: string }) => (
  <div
    className={classNames(
      'grid justify-items-center gap-2 px-4 text-center',
      inCard ? 'py-4' : `rounded-md border border-line py-12 ${frame}`,
    )}
  >
    {drawing}
    {page ? (
      <h1 tabIndex={-1} className="text-base font-semibold wrap-anywhere">
        {title}
      </h1>
    ) : (
      <p className="text-base font-semibold wrap-anywhere">{title}</p>
    )}
    {children && <div className="max-w-md text-muted wrap-anywhere">{children}</div>}
    {action && <div className="pt-2">{action}</div>}
  </div>
)

/** An empty list: names the next step, with its button. */
export const EmptyState = (texts: Texts) => (
  <State frame="border-dashed" drawing={<EmptySlip />} {...texts} />
)

/** The requested resource does not exist. */
export const MissingState = (texts: Texts) => (
  <State frame="border-dashed" drawing={<Buoy />} {...texts} />
)

/** Loading failed: gives the reason, and a remedy. */
export const ErrorState = (texts: Texts) => (
  <div role="alert">
    <State
      frame="bg-surface"
      drawing={
        <span className="mb-1 rounded-full bg-danger-soft p-3">
          <CircleAlert className="size-6 text-danger" aria-hidden />
        </span>
      }
      {...texts}
    />
  </div>
)
