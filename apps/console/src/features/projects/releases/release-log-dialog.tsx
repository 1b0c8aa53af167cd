import type { ProjectId } from '@slipway/contract/projects'
import { formatDate, getLocale, m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FormActions } from '../../../ui/field/form.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { releaseQuery } from './release-queries.ts'

/** The reports of a release's checks. */
export function ReleaseLogDialog({
  projectId,
  number,
  open,
  onClose,
}: {
  projectId: ProjectId
  number: number
  open: boolean
  onClose: () => void
}) {
  const query = useQuery({ ...releaseQuery(projectId, number), enabled: open })
  return (
    <Dialog
      open={open}
      title={m.release_log_title({ number })}
      wide
      closeLabel={m.shell_close()}
      onClose={onClose}
    >
      <QueryView
        query={{ ...query, data: query.data?.log }}
        item={m.release_item_log()}
        loading={<Skeleton className="w-full" height="h-24" />}
        empty={<p className="text-muted">{m.release_log_none()}</p>}
      >
        {(lines) => (
          <ol
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
            tabIndex={0}
            className="grid max-h-[60vh] gap-1 overflow-y-auto rounded-md"
          >
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are only appended
              <li key={index} className="flex gap-3 font-mono text-xs">
                <time
                  dateTime={line.time}
                  title={formatDate(line.time, getLocale(), 'exactTime')}
                  className="shrink-0 text-muted tabular-nums"
                >
                  {formatDate(line.time, getLocale(), 'clock')}
                </time>
                <span
                  className={classNames(
                    'min-w-0 whitespace-pre-wrap wrap-anywhere',
                    line.isWarning && 'text-warning',
                  )}
                >
                  {line.text}
                </span>
              </li>
            ))}
          </ol>
        )}
      </QueryView>
      <FormActions>
        <Button onClick={onClose}>{m.shell_close()}</Button>
      </FormActions>
    </Dialog>
  )
}
