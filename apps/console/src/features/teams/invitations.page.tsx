import type { Invitation } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { invitationsQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ListTable, ListTableSkeleton } from '../../shell/lists/list-table.tsx'
import { useIsOnPage } from '../../shell/navigation/is-on-page.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { RelativeTime } from '../../shell/time/time.tsx'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/dialog/use-dialog.ts'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/table-parts.tsx'
import { AcceptButton } from './accept-button.tsx'
import { RejectInvitationDialog } from './reject-invitation-dialog.tsx'
import { useWrongRecipient, WrongRecipientAlert } from './wrong-recipient.tsx'

/** Two equal columns on a phone. */
const actionsClass = 'grid grid-cols-2 gap-2 max-sm:flex-1 sm:flex'

const columnsFor = (
  onReject: (invitation: Invitation) => void,
  isOnPage: () => boolean,
): Column<Invitation>[] => [
  {
    key: 'team',
    header: m.teams_team(),
    sortBy: ({ teamName }) => teamName,
    cell: ({ teamName }) => teamName,
    primary: true,
    skeleton: 'w-40',
  },
  {
    key: 'by',
    header: m.teams_invited_by(),
    sortBy: ({ ownerName }) => ownerName,
    cell: ({ ownerName }) => ownerName,
    userText: true,
    skeleton: 'w-28',
  },
  {
    key: 'since',
    header: m.teams_invited_at(),
    sortBy: ({ createdAt }) => Date.parse(createdAt),
    cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
    skeleton: 'w-24',
  },
  {
    key: 'actions',
    header: m.teams_actions(),
    cell: (invitation) => (
      <span className={actionsClass}>
        <AcceptButton invitation={invitation} isOnPage={isOnPage} />
        <Button
          aria-label={m.teams_reject_named({ team: invitation.teamName })}
          onClick={() => onReject(invitation)}
        >
          {m.teams_reject()}
        </Button>
      </span>
    ),
    actions: true,
    skeleton: (
      <span className={actionsClass}>
        <Skeleton className="w-full sm:w-20" height="control-height" />
        <Skeleton className="w-full sm:w-20" height="control-height" />
      </span>
    ),
  },
]

function OwnInvitations() {
  const rejection = useDialog<Invitation>()
  const isOnPage = useIsOnPage()
  const table = {
    list: 'invitations',
    caption: m.teams_invitations_caption(),
    searchLabel: m.tables_search_invitations(),
    totalLabel: (count: number) => m.tables_total_invitations({ count }),
    columns: columnsFor(rejection.openFor, isOnPage),
  }
  return (
    <>
      <QueryView
        query={useQuery(invitationsQuery)}
        item={m.teams_item_invitations()}
        loading={<ListTableSkeleton {...table} />}
        empty={
          <EmptyState
            title={m.teams_invitations_empty()}
            action={<ButtonLink to={paths.teams()}>{m.teams_show_all()}</ButtonLink>}
          >
            {m.teams_invitations_empty_hint()}
          </EmptyState>
        }
      >
        {(invitations) => (
          <ListTable
            {...table}
            rows={invitations}
            rowKey={({ teamId }) => teamId}
            searchIn={({ teamName, ownerName }) => [teamName, ownerName]}
          />
        )}
      </QueryView>
      {rejection.subject && (
        <RejectInvitationDialog
          invitation={rejection.subject}
          open={rejection.open}
          onClose={rejection.close}
        />
      )}
    </>
  )
}

export function Page() {
  const wrongRecipient = useWrongRecipient()
  return (
    <PageFrame>
      {wrongRecipient === null ? (
        <OwnInvitations />
      ) : (
        <>
          <WrongRecipientAlert email={wrongRecipient} />
          <Section title={m.teams_invitations_own()}>
            <OwnInvitations />
          </Section>
        </>
      )}
    </PageFrame>
  )
}
