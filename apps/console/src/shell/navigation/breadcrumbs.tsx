import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { classNames } from '../../ui/class-names.ts'

/** A page above the current one. */
export type Crumb = { to: string; label: string }

const crumbClass = 'min-w-0 truncate max-w-[40ch]'

/**
 * The path to this page, `trail` from the area on. A phone shows only a link back to the parent.
 * Long names are truncated; the page's heading has the whole name.
 */
export const Breadcrumbs = ({ trail, title }: { trail: readonly Crumb[]; title: string }) => (
  <nav aria-label={m.navigation_breadcrumb()} className="min-w-0">
    <ol className="flex min-w-0 items-center text-muted">
      {trail.map(({ to, label }, index) => {
        const isParent = index === trail.length - 1
        return (
          <li
            key={to}
            className={classNames('flex min-w-0 items-center', !isParent && 'max-sm:hidden')}
          >
            <Link
              to={to}
              title={label}
              // Without `exact` the router marks a link to a parent path as the current page.
              activeOptions={{ exact: true }}
              className={classNames(
                crumbClass,
                'rounded-md underline-offset-4 hover:text-fg hover:underline max-sm:text-accent pointer-coarse:-my-4 pointer-coarse:py-4',
              )}
            >
              {isParent && (
                <ArrowLeft
                  className="mr-1 inline size-3.5 align-[-0.125em] sm:hidden"
                  aria-hidden
                />
              )}
              {label}
            </Link>
            <span aria-hidden className="mx-2 text-line max-sm:hidden">
              /
            </span>
          </li>
        )
      })}
      <li className={classNames(crumbClass, 'max-sm:hidden')} aria-current="page" title={title}>
        {title}
      </li>
    </ol>
  </nav>
)
