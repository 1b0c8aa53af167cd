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
}: Texts & { drawing: ReactNode }) => (
  <div
    className={classNames(
      'grid justify-items-center gap-2 px-4 text-center',
      inCard ? 'py-4' : 'rounded-md border border-dashed border-line py-12',
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
export const EmptyState = (texts: Texts) => <State drawing={<EmptySlip />} {...texts} />

/** The requested resource does not exist. */
export const MissingState = (texts: Texts) => <State drawing={<Buoy />} {...texts} />

/** Loading failed: gives the reason, and a remedy. */
export const ErrorState = (texts: Texts) => (
  <div role="alert">
    <State
      drawing={
        <span className="mb-1 rounded-full bg-hover p-3">
          <CircleAlert className="size-6 text-muted" aria-hidden />
        </span>
      }
      {...texts}
    />
  </div>
)
