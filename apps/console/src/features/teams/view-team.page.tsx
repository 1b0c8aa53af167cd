import type { Team, TeamDetail, TeamId } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { teamActivityQuery } from '../../api/activity-queries.ts'
import { visibleData } from '../../api/missing.ts'
import { teamQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { PagedActivity } from '../../shell/activity/paged-activity.tsx'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { useParam } from '../../shell/navigation/route-params.ts'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { useProfile, useTeams } from '../../shell/session/account-context.ts'
import { MissingState } from '../../ui/states.tsx'
import { LeaveTeam } from './leave-team.tsx'
import { useRegistries } from './registry-queries.ts'
import { TeamDetails, TeamDetailsSkeleton } from './team-details.tsx'
import { TeamUsers, TeamUsersSkeleton } from './team-users.tsx'

// Most installations run no container images.
const RegistriesCard = lazy(() => import('./registries-card.tsx'))

const TeamMissing = ({ id }: { id: TeamId }) => (
  <MissingState
    title={m.teams_missing({ id })}
    action={<ButtonLink to={paths.teams()}>{m.teams_show_all()}</ButtonLink>}
  >
    {m.teams_missing_hint()}
  </MissingState>
)

const useIsOwner = (team: Team | undefined) => useProfile().id === team?.userId

function TeamPage({ id }: { id: TeamId }) {
  const [isLeaving, setLeaving] = useState(false)
  // Do not refetch the team after leaving, before the page has navigated away.
  const query = useQuery({ ...teamQuery(id), enabled: !isLeaving })
  const team = visibleData(query)
  const isOwner = useIsOwner(team)
  const listedTeam = useTeams().find((each) => each.id === id)
  const ownsListedTeam = useIsOwner(listedTeam)
  return (
    <PageFrame
      title={(team ?? (query.isPending ? listedTeam : undefined))?.name}
      actions={team && !isOwner && <LeaveTeam team={team} onLeaving={setLeaving} />}
    >
      <QueryView
        query={query}
        item={m.teams_item_team()}
        loading={<TeamSkeleton editable={ownsListedTeam} />}
        missing={<TeamMissing id={id} />}
      >
        {(loadedTeam) => <TeamContent team={loadedTeam} />}
      </QueryView>
    </PageFrame>
  )
}

function TeamContent({ team }: { team: TeamDetail }) {
  const isOwner = useIsOwner(team)
  const activity = useInfiniteQuery(teamActivityQuery(team.id))
  const { registries, isShown, isLoading } = useRegistries(team.id)
  return (
    <>
      <TeamUsers team={team} editable={isOwner} />
      <TeamDetails team={team} editable={isOwner} />
      {/* Together, since the registries would move the activity if they appeared later. */}
      <Suspense>
        {isShown && registries && (
          <RegistriesCard team={team} registries={registries} editable={isOwner} />
        )}
        {/* Last, since every change adds an entry, which would move what is below. */}
        {!isLoading && <PagedActivity query={activity} scope="team" title={m.activity_title()} />}
      </Suspense>
    </>
  )
}

const TeamSkeleton = ({ editable }: { editable: boolean }) => (
  <>
    <TeamUsersSkeleton editable={editable} />
    <TeamDetailsSkeleton />
  </>
)

export function Page() {
  const id = useParam('teamId')
  // Another team is another page: drop unsaved edits.
  return <TeamPage key={id} id={id} />
}
