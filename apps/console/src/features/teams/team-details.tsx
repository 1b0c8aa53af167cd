import { type TeamDetail, updateTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { EditableField } from '../../forms/editable-field.tsx'
import { CopyValue } from '../../shell/page/copy-value.tsx'
import { useProfile } from '../../shell/session/account-context.ts'
import { Card } from '../../ui/card.tsx'
import { Detail, DetailList } from '../../ui/detail-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { cacheTeamName } from './team-queries.ts'

export function TeamDetails({ team, editable }: { team: TeamDetail; editable: boolean }) {
  const { owner } = team
  const isOwn = useProfile().id === owner.id
  return (
    <Card title={m.teams_details()}>
      <DetailList>
        <Detail label={m.teams_name()}>{editable ? <TeamName team={team} /> : team.name}</Detail>
        <Detail label={m.teams_owner()}>
          {isOwn ? m.teams_you({ name: owner.name }) : owner.name}
        </Detail>
        <Detail label={m.teams_id()}>
          <CopyValue text={team.id} label={m.teams_copy_id()}>
            <code className="font-mono text-xs sm:text-sm">{team.id}</code>
          </CopyValue>
        </Detail>
      </DetailList>
    </Card>
  )
}

function TeamName({ team: { id, name } }: { team: TeamDetail }) {
  const queryClient = useQueryClient()
  return (
    <EditableField
      schema={updateTeam.body}
      name="name"
      label={m.teams_name()}
      value={name}
      save={async (body) =>
        cacheTeamName(queryClient, await call(updateTeam, { params: { id }, body }))
      }
    />
  )
}

export const TeamDetailsSkeleton = () => (
  <Card title={m.teams_details()}>
    <DetailList>
      {[m.teams_name(), m.teams_owner(), m.teams_id()].map((label) => (
        <Detail key={label} label={label}>
          <Skeleton className="w-48" />
        </Detail>
      ))}
    </DetailList>
  </Card>
)
