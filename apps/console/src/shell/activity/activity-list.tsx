import type { Activity } from '@slipway/contract/activity'
import { paths } from '../../paths.ts'
import { AddressText } from '../../ui/address-text.tsx'
import { classNames } from '../../ui/class-names.ts'
import { TextLink } from '../navigation/link.tsx'
import { RelativeTime } from '../time/time.tsx'
import { actorName, type Look, lookOf } from './activity-kinds.ts'

/** The facts that the page shows already, which its entries need not repeat. */
type Scope = 'project' | 'team' | 'all'

const tones: Record<NonNullable<Look['tone']> | 'none', string> = {
  none: 'bg-hover text-muted',
  success: 'bg-success-soft text-success',
  danger: 'bg-danger-soft text-danger',
}

/** A sentence with one part in bold. */
function Sentence({ text, bold }: { text: string; bold: string }) {
  const start = text.indexOf(bold)
  if (bold === '' || start < 0) return <AddressText text={text} />
  return (
    <>
      <AddressText text={text.slice(0, start)} />
      <span className="font-medium">{bold}</span>
      <AddressText text={text.slice(start + bold.length)} />
    </>
  )
}

/** The page of the entry's project or team; undefined if the current page is about it. */
function placeOf({ project, team }: Activity, scope: Scope) {
  if (project && scope !== 'project') return { to: paths.project(project.key), name: project.name }
  if (team && !project && scope === 'all') return { to: paths.team(team.id), name: team.name }
  return undefined
}

/**
 * Where and when the entry happened. The link is apart from the text, so that it needs no
 * underline. After a long name the time is on the next line.
 */
function PlaceAndTime({ entry, scope }: { entry: Activity; scope: Scope }) {
  const place = placeOf(entry, scope)
  return (
    <div className="flex flex-wrap gap-x-2 text-xs text-muted">
      {place && <TextLink to={place.to}>{place.name}</TextLink>}
      <RelativeTime value={entry.createdAt} />
    </div>
  )
}

function Entry({ entry, scope }: { entry: Activity; scope: Scope }) {
  const look = lookOf(entry)
  if (!look) return null
  const actor = actorName(entry)
  const { subject, before, after } = entry
  const text = look.text({
    actor,
    subject: subject ?? '',
    before: before ?? '',
    after: after ?? '',
  })
  const Icon = look.icon
  return (
    <li className="flex gap-3 py-3">
      <span
        className={classNames(
          'flex size-7 shrink-0 items-center justify-center rounded-full',
          tones[look.tone ?? 'none'],
        )}
      >
        <Icon className="size-3.5" aria-hidden />
      </span>
      <div className="grid min-w-0 gap-0.5">
        {/* Not a paragraph, whose lines are balanced. */}
        <div className="min-w-0 pt-1 wrap-anywhere">
          <Sentence text={text} bold={actor} />
        </div>
        <PlaceAndTime entry={entry} scope={scope} />
      </div>
    </li>
  )
}

/** The entries of an activity list, newest first. */
export const ActivityList = ({
  entries,
  scope,
}: {
  entries: readonly Activity[]
  scope: Scope
}) => (
  <ol className="-my-3 min-w-0 divide-y divide-line">
    {entries.map((entry) => (
      <Entry key={entry.position} entry={entry} scope={scope} />
    ))}
  </ol>
)
