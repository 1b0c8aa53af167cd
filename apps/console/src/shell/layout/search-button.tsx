import { m } from '@slipway/phrases'
import Search from 'lucide-react/icons/search'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { ariaKeys, Keys } from '../shortcuts/keys.tsx'
import { openOverlay, useOverlay } from '../shortcuts/open-overlay.ts'

const combination = 'Mod+k'

/** Opens the command palette; in a wide window it looks like a search field. */
export function SearchButton({ preload }: { preload: () => void }) {
  const isOpen = useOverlay() === 'palette'
  return (
    <Tooltip text={m.navigation_search()}>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts={ariaKeys(combination)}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => openOverlay('palette')}
        className={classNames(
          buttonClass('quiet', true),
          'lg:w-44 lg:justify-start lg:border-control lg:px-2 lg:font-normal xl:w-52',
        )}
      >
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="sr-only lg:not-sr-only">{m.navigation_search()}</span>
        <span aria-hidden className="ml-auto hidden lg:pointer-fine:block">
          <Keys keys={[combination]} />
        </span>
      </button>
    </Tooltip>
  )
}
