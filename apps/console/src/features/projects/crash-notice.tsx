import type { ProjectDetail } from '@slipway/contract/projects'
import { formatNumber, getLocale, m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { Alert } from '../../ui/alert.tsx'
import { useReleases } from './releases/release-queries.ts'
import { RollBackButton } from './releases/roll-back-button.tsx'

/** Says that the site keeps stopping, with its last output and the user's options. */
export default function CrashNotice({ project }: { project: ProjectDetail }) {
  const { key, crashes, lastOutput, failure } = project
  // An earlier release of the same files would stop in the same way.
  const previous = useReleases(project.id).data?.items.find(
    ({ state, isCurrent }) => state === 'superseded' && !isCurrent,
  )
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
      {/* Each crash changes this text: a screen reader would never finish it. */}
      <div aria-live="off">
        {crashes > 0 && (
          <p>
            {m.projects_crashing_restarts({
              count: crashes,
              times: formatNumber(crashes, getLocale()),
            })}
          </p>
        )}
        {lastOutput.length > 0 && (
          <>
            <p>{m.projects_crashing_output()}</p>
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
              tabIndex={0}
              className="mt-1 max-h-40 overflow-y-auto font-mono text-xs whitespace-pre-wrap"
            >
              {lastOutput.join('\n')}
            </pre>
          </>
        )}
      </div>
    </Alert>
  )
}
