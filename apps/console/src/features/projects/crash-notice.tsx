import { viewProjectLogs } from '@slipway/contract/logs'
import type { ProjectDetail } from '@slipway/contract/projects'
import { formatNumber, getLocale, m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { requestQuery } from '../../api/request-query.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { Alert } from '../../ui/alert.tsx'
import { useReleases } from './releases/release-queries.ts'
import { RollBackButton } from './releases/roll-back-button.tsx'

/** As many as the trace of an error has. */
const shownLines = 20
/** Of a line: a stack trace in one line must not fill the page. */
const shownCharacters = 200

/** The last output of a site, read again after each crash. */
const lastOutputQuery = ({ id, crashes }: ProjectDetail) =>
  requestQuery(['logs', id, 'crashes', crashes], viewProjectLogs, {
    params: { id },
    query: { limit: shownLines },
  })

/** Says that the site keeps stopping, with its last output and the ways out. */
export default function CrashNotice({ project }: { project: ProjectDetail }) {
  const { key, crashes, failure } = project
  const { data: output } = useQuery({
    ...lastOutputQuery(project),
    placeholderData: (previous) => previous,
  })
  const lines = (output?.items ?? []).flatMap(({ text }) =>
    text?.trim() ? text.slice(0, shownCharacters) : [],
  )
  const previous = useReleases(project.id).data?.items.find(({ state }) => state === 'superseded')
  return (
    <Alert
      kind="failure"
      actions={
        <>
          <ButtonLink to={paths.logs(key)}>{m.logs_title()}</ButtonLink>
          {previous && <RollBackButton project={project} release={previous} showsNumber />}
        </>
      }
    >
      <p className="font-medium">{m.projects_crashing()}</p>
      {failure === 'out_of_memory' && <p>{m.projects_failure_out_of_memory()}</p>}
      {/* Each crash changes it: it would be read out without end. */}
      <div aria-live="off">
        {crashes > 0 && (
          <p>
            {m.projects_crashing_restarts({
              count: crashes,
              times: formatNumber(crashes, getLocale()),
            })}
          </p>
        )}
        {lines.length > 0 && (
          <>
            <p>{m.projects_crashing_output()}</p>
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
              tabIndex={0}
              className="mt-1 max-h-40 overflow-y-auto font-mono text-xs whitespace-pre-wrap"
            >
              {lines.join('\n')}
            </pre>
          </>
        )}
      </div>
    </Alert>
  )
}
