import { type Locale, m } from '@slipway/phrases'
import { CommandError } from '@slipway/terminal/command-error'

const fullId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The shortest part of an id that is accepted. */
const minIdLength = 8

/**
 * Finds the id that has the requested text as its start or end, among the ids that `find` returns.
 * A whole id needs no search. Throws a `CommandError` unless exactly one matches.
 */
export async function matchId(
  requestedId: string,
  locale: Locale,
  {
    find,
    missing,
  }: {
    find: (part: string) => Promise<readonly string[]>
    missing: (inputs: { id: string }, options: { locale: Locale }) => string
  },
): Promise<string> {
  // The console's lists show an ellipsis before the end of an id.
  const part = requestedId.replace(/^…/, '').toLowerCase()
  if (fullId.test(part)) return part
  if (part.length < minIdLength) throw new CommandError(m.operator_id_short({}, { locale }))
  const ids = (await find(part)).filter((id) => id.startsWith(part) || id.endsWith(part))
  const [id, another] = ids
  if (!id) throw new CommandError(missing({ id: requestedId }, { locale }))
  if (another) throw new CommandError(m.operator_id_ambiguous({ id: requestedId }, { locale }))
  return id
}
