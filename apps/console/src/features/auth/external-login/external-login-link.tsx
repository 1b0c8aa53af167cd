import { externalLoginPath, listLoginProviders } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { apiBase } from '../../../api/client.ts'
import { useList } from '../../../api/use-list.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { startExternalLogin } from './login-state.ts'

/**
 * A link for each external identity provider. Space is reserved while the list loads, so that
 * nothing moves.
 */
export function ExternalLoginLinks({ next }: { next: string | undefined }) {
  const providers = useList(listLoginProviders)
  if (providers?.length === 0) return null
  return (
    <div className="grid min-h-[calc(var(--control-height)+2.5rem)] gap-5">
      {providers && (
        <div className="flex items-center gap-3 text-muted">
          <hr className="grow border-t border-line" aria-hidden />
          {m.oauth_or()}
          <hr className="grow border-t border-line" aria-hidden />
        </div>
      )}
      {providers?.map(({ provider, name, icon }) => {
        // Each activation starts a new login, including a new tab or the context menu. With a
        // pointer it starts on pointerdown, before the browser's action is known.
        const startLogin = ({ currentTarget }: { currentTarget: HTMLAnchorElement }) => {
          currentTarget.href = apiBase + startExternalLogin(provider, next)
        }
        return (
          <a
            key={provider}
            href={apiBase + externalLoginPath}
            onPointerDown={startLogin}
            onContextMenu={startLogin}
            // A click without a pointer, such as Enter, has a `detail` of 0 (UI Events).
            onClick={(event) => event.detail === 0 && startLogin(event)}
            className={`${buttonClass()} transition-opacity starting:opacity-0`}
          >
            <img src={icon} alt="" width="16" height="16" />
            {m.oauth_continue_with({ name })}
          </a>
        )
      })}
    </div>
  )
}
