import { type LogSource, logSources } from '@slipway/contract/logs'
import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { causesRedirect } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error-message.ts'
import { useAction } from '../../../forms/use-action.ts'
import { useChoice } from '../../../shell/navigation/use-choice.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { SearchField } from '../../../ui/field/search-field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { OpenSiteButton } from '../access/open-site-button.tsx'
import { ProjectTab } from '../project-tab.tsx'
import { LogLines } from './log-lines.tsx'
import {
  filterEntries,
  lineText,
  type StatusFilter,
  statusFilters,
  statusText,
} from './log-texts.ts'
import { type LogState, useLog } from './use-log.ts'

type Props = { project: Project; source: LogSource }

const sourceTexts: Record<LogSource, () => string> = {
  site: () => m.logs_source_site(),
  requests: () => m.logs_source_requests(),
}

const emptyTexts: Record<LogSource, { title: () => string; hint: () => string }> = {
  site: { title: () => m.logs_none(), hint: () => m.logs_none_hint() },
  requests: { title: () => m.logs_no_requests(), hint: () => m.logs_no_requests_hint() },
}

/**
 * A button that loads earlier lines. Its space stays when there are none, so that no line moves.
 */
function Older({ load }: { load: LogState['loadOlder'] }) {
  const action = useAction(async () => load?.())
  return (
    <div className="grid min-h-11 content-start justify-items-center gap-2 px-3 pb-2">
      {load && (
        <Button variant="quiet" pending={action.pending} onClick={() => action.run()}>
          {m.logs_older()}
        </Button>
      )}
      {action.failure && <Alert kind="failure">{action.failure}</Alert>}
    </div>
  )
}

/** Shown while there are no lines: a skeleton, an error or an empty state. */
function WithoutLines({ log, source, project }: { log: LogState } & Props) {
  if (log.failure !== null)
    return causesRedirect(log.failure) ? null : (
      <ErrorState title={m.shell_loading_failed({ item: m.logs_item() })}>
        {errorMessage(log.failure)}
      </ErrorState>
    )
  if (log.state === 'loading') return <Skeleton className="w-full" height="h-80" />
  const { title, hint } = emptyTexts[source]
  return (
    <EmptyState title={title()} action={<OpenSiteButton project={project} />}>
      {hint()}
    </EmptyState>
  )
}

function Log({ project, source }: Props) {
  const log = useLog(project.id, source)
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState<StatusFilter>('all')
  const field = useRef<HTMLInputElement>(null)
  const searched = useDeferredValue(search)
  const shown = useMemo(
    () => filterEntries(log.entries, searched, status),
    [log.entries, searched, status],
  )
  if (log.entries.length === 0) return <WithoutLines log={log} source={source} project={project} />
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <div className="flex gap-2 max-sm:w-full sm:contents">
          <SearchField
            label={m.logs_search()}
            clearLabel={m.tables_search_clear()}
            value={search}
            onChange={setSearch}
            field={field}
          />
          <CopyButton
            text={() => shown.map(lineText).join('\n')}
            texts={{ copy: m.logs_copy(), copied: m.logs_copied(), failed: m.logs_copy_failed() }}
          />
        </div>
        {source === 'requests' && (
          <Segments
            label={m.logs_status()}
            value={status}
            options={statusFilters.map((value) => ({ value, label: statusText(value) }))}
            onChange={setStatus}
          />
        )}
        <p role="status" className="flex items-center gap-2 text-muted">
          {log.failure === null && log.state === 'connected' && (
            <span className="size-2 shrink-0 rounded-full bg-success" aria-hidden />
          )}
          {log.failure !== null
            ? errorMessage(log.failure)
            : log.state === 'connected'
              ? m.logs_live()
              : m.logs_reconnecting()}
        </p>
      </div>
      {shown.length === 0 ? (
        <EmptyState title={m.logs_no_match()}>{m.logs_no_match_hint()}</EmptyState>
      ) : (
        <LogLines
          // A new filter starts at the end again.
          key={`${searched} ${status}`}
          entries={shown}
          label={sourceTexts[source]()}
          header={<Older load={log.loadOlder} />}
        />
      )}
    </>
  )
}

/** The gateway serves a static site: there is no program that prints. */
const sourcesOf = ({ runtime }: Project) => (runtime === 'static' ? requestsOnly : logSources)
const requestsOnly = ['requests'] as const

function ProjectLogs({ project }: { project: Project }) {
  const { id } = project
  const sources = sourcesOf(project)
  const [source, setSource] = useChoice<LogSource>('source', sources)
  return (
    <div className="grid gap-4">
      {sources.length > 1 && (
        <div>
          <Segments
            label={m.logs_source()}
            value={source}
            options={sources.map((value) => ({ value, label: sourceTexts[value]() }))}
            onChange={setSource}
          />
        </div>
      )}
      <Log key={`${id} ${source}`} project={project} source={source} />
    </div>
  )
}

export const Page = () => <ProjectTab>{(project) => <ProjectLogs project={project} />}</ProjectTab>
