import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { classNames } from '../../ui/class-names.ts'

export type Crumb = { to: string; label: string }

/**
 * Links to the pages of `trail`, which are above this page, the area first. A phone shows only the
 * parent. An arrow is before a link that is alone. Only screen readers get the title of this page,
 * as the heading shows it.
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
              className="max-w-[40ch] min-w-0 truncate rounded-md underline-offset-4 hover:text-fg hover:underline pointer-coarse:-my-4 pointer-coarse:py-4"
            >
              {isParent && (
                <ArrowLeft
                  className={classNames(
                    'mr-1 inline size-3.5 align-[-0.125em]',
                    index > 0 && 'sm:hidden',
                  )}
                  aria-hidden
                />
              )}
              {label}
            </Link>
            {!isParent && (
              <span aria-hidden className="mx-2 text-control">
                /
              </span>
            )}
          </li>
        )
      })}
      <li className="sr-only" aria-current="page">
        {title}
      </li>
    </ol>
  </nav>
)
