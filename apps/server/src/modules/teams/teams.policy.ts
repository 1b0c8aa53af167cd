import type { SignedIn } from '../../context.ts'
import type { Team } from './teams.store.ts'

type User = Pick<SignedIn, 'id'>
type Owned = Pick<Team, 'userId'>

const owns = (user: User, team: Owned) => team.userId === user.id

export const mayRename = (user: User, team: Owned) => owns(user, team)

export const mayInvite = (user: User, team: Owned) => owns(user, team)

export const mayCancelInvitation = (user: User, team: Owned) => owns(user, team)

export const mayRemoveMembers = (user: User, team: Owned) => owns(user, team)

export const mayChangeRegistries = (user: User, team: Owned) => owns(user, team)

/** The owner cannot leave: without one, no member could do the above. */
export const mayLeave = (user: User, team: Owned) => !owns(user, team)
