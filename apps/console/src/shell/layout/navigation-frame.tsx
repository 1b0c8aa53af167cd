import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { type Area, areas } from '../navigation/areas.ts'

/** The line below the current area is as wide as its name. */
export const areaLinkClass =
  'relative inline-flex h-11 items-center border-transparent px-2 text-muted transition-colors after:absolute after:inset-x-2 after:bottom-0 after:border-b-2 after:border-inherit hover:text-fg aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-fg md:h-14 md:px-3 md:after:inset-x-3'

/**
 * The bar at the top: brand, areas, menus. In a narrow window the areas are a row below. Each area
 * has room for a badge after its name.
 */
export const NavigationFrame = ({
  brand,
  link,
  children,
}: {
  brand: ReactNode
  link: (area: Area) => ReactNode
  children?: ReactNode
}) => (
  <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-4 px-4 sm:px-6 md:gap-x-6">
    <div className="flex h-14 items-center">{brand}</div>
    <nav
      aria-label={m.shell_navigation()}
      className="order-last -mx-2 w-full md:order-none md:mx-0 md:w-auto"
    >
      <ul className="flex justify-between sm:justify-start sm:gap-x-6 lg:gap-x-8">
        {areas.map((area) => (
          <li key={area.to}>{link(area)}</li>
        ))}
      </ul>
    </nav>
    {/* The avatar is smaller than its button and ends at the edge of the page. */}
    <div className="-mr-0.5 ml-auto flex items-center pointer-coarse:-mr-2 sm:gap-1">
      {children}
    </div>
  </div>
)

export const navigationClass = 'sticky top-0 z-20 border-b border-line bg-surface'
