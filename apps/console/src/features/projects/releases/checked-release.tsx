import type { ProjectId } from '@slipway/contract/projects'
import type { Release } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { formatBytes, getLocale, m } from '@slipway/phrases'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { ReleaseLogButton } from './release-log-button.tsx'

const checks: Record<Runtime, () => string> = {
  starter: () => m.release_checks_static(),
  static: () => m.release_checks_static(),
  node: () => m.release_checks_node(),
  php: () => m.release_checks_php(),
  wordpress: () => m.release_checks_php(),
  image: () => m.release_checks_image(),
}

/**
 * The first release while it is checked: what is checked, its size, its author, and since when. It
 * has the place of the box that uploaded it, and with the row below it the same height.
 */
export default function CheckedRelease({
  projectId,
  release: { number, runtime, image, archiveBytes, createdBy, createdAt },
}: {
  projectId: ProjectId
  release: Release
}) {
  const title = m.release_checking({ number })
  return (
    <section
      aria-label={title}
      className="grid min-h-52 content-center justify-items-center gap-2 rounded-md border border-line bg-surface px-4 py-6 text-center"
    >
      <LoaderCircle className="size-6 animate-turn text-accent" aria-hidden />
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="text-muted">{checks[runtime]()}</p>
      <p className="pb-2 text-muted">
        {createdBy && `${createdBy.name} · `}
        {image === null && `${formatBytes(archiveBytes, getLocale())} · `}
        <RelativeTime value={createdAt} seconds />
      </p>
      <ReleaseLogButton
        projectId={projectId}
        number={number}
        label={m.release_log_view()}
        name={m.release_log_view_named({ number })}
      />
    </section>
  )
}
