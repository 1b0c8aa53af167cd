import type { TeamDetail } from '@slipway/contract/teams'

type People = Pick<TeamDetail, 'users' | 'invited'>

const namesOf = ({ users, invited }: People) => [
  ...users.map(({ id }) => id),
  ...invited.map(({ email }) => email),
]

/** Whether somebody who had joined or was invited no longer is: an invitation that was accepted is one less. */
export function somebodyGone(before: People, now: People) {
  const names = new Set(namesOf(now))
  return namesOf(before).some((name) => !names.has(name))
}
