import { m } from '@slipway/phrases'
import Check from 'lucide-react/icons/check'

/**
 * The panel beside the forms of a new visitor, in a wide window. Its drawing is a file, so that no
 * script contains it.
 */
export const AuthPanel = () => (
  <aside className="hidden grid-rows-[1fr_auto] items-center gap-8 bg-accent-fill p-8 text-on-fill lg:grid">
    <div className="grid gap-4">
      <p className="text-xl font-semibold">{m.auth_panel()}</p>
      <ul className="grid gap-3">
        {[m.auth_panel_releases(), m.auth_panel_domains(), m.auth_panel_price()].map((fact) => (
          <li key={fact} className="flex items-start gap-2">
            <Check className="mt-0.5 size-4 shrink-0" aria-hidden />
            {fact}
          </li>
        ))}
      </ul>
    </div>
    <img
      src="/going-live.svg"
      alt=""
      width="400"
      height="220"
      className="-mx-8 -mb-8 h-auto w-[calc(100%+4rem)] max-w-none"
    />
  </aside>
)
