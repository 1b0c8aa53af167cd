import type { TeamDetail } from '@slipway/contract/teams'

type People = Pick<TeamDetail, 'users' | 'invited'>

const namesOf = ({ users, invited }: People) => [
  ...users.map(({ id }) => id),
  ...invited.map(({ email }) => email),
]

/** True if a member or an invitation is gone; an accepted invitation is gone, too. */
export function hasRemovals(before: People, now: People) {
  const names = new Set(namesOf(now))
  return namesOf(before).some((name) => !names.has(name))
}
