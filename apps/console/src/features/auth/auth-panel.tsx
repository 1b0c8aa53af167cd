import { m } from '@slipway/phrases'
import Check from 'lucide-react/icons/check'

/**
 * The panel beside the forms of visitors, in a wide window. Its drawing is a file, so that no
 * script contains it.
 */
export const AuthPanel = () => (
  <aside className="hidden gap-8 bg-panel p-8 text-on-fill lg:grid lg:content-between">
    <div className="grid gap-6">
      <p className="text-3xl font-semibold tracking-tight text-balance">{m.auth_panel()}</p>
      <ul className="grid gap-3 text-base">
        {[m.auth_panel_releases(), m.auth_panel_domains(), m.auth_panel_price()].map((fact) => (
          <li key={fact} className="flex items-start gap-2">
            <Check className="mt-1 size-4 shrink-0" aria-hidden />
            {fact}
          </li>
        ))}
      </ul>
    </div>
    <img
      src="/going-live.svg"
      alt=""
      width="400"
      height="260"
      className="-mx-8 -mb-8 h-auto w-[calc(100%+4rem)] max-w-none"
    />
  </aside>
)
