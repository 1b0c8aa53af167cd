import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { invitationsQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/** Links to the invitations if some are pending, or if their number could not be loaded. */
export function InvitationsLink() {
  const { data, isError } = useQuery(invitationsQuery)
  const count = data?.length ?? 0
  if (count === 0 && !isError)
    return (
      // HTML's placeholder link: cannot be followed, but is announced as a link.
      // biome-ignore lint/a11y/useValidAnchor: there is no page to open
      <a role="link" aria-disabled="true" className={buttonClass('unavailable')}>
        {m.teams_invitations()}
      </a>
    )
  return (
    <ButtonLink to={paths.invitations()}>
      {m.teams_invitations()}
      {count > 0 && (
        <>
          <span aria-hidden>
            <Badge tone="primary">{count}</Badge>
          </span>
          <VisuallyHidden>({m.shell_invitations_waiting({ count })})</VisuallyHidden>
        </>
      )}
    </ButtonLink>
  )
}
