import { m } from '@slipway/phrases'

/** Beside the forms of a new visitor, in a wide window. The drawing is a file: no script has it. */
export const AuthPanel = () => (
  <aside className="hidden content-between gap-8 bg-accent-fill p-8 text-on-fill lg:grid">
    <div className="grid gap-4">
      <p className="text-xl font-semibold">{m.auth_panel()}</p>
      <ul className="grid gap-2">
        {[m.auth_panel_releases(), m.auth_panel_domains(), m.auth_panel_price()].map((fact) => (
          <li key={fact}>{fact}</li>
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
