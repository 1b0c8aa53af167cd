import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import FolderUp from 'lucide-react/icons/folder-up'
import { filesHint } from './accepted-files.ts'

const DropBox = ({ project }: { project: Project }) => (
  <div className="grid h-full min-h-48 content-center justify-items-center gap-2 rounded-md border border-dashed border-control px-4 py-6 text-center">
    <FolderUp className="size-6 text-muted" aria-hidden />
    <p className="font-medium">{m.release_drop()}</p>
    <p className="text-muted">{filesHint(project)}</p>
  </div>
)

/** Covers the page while files are dragged over it. */
export const DropOverlay = ({ project }: { project: Project }) => (
  <div className="pointer-events-none fixed inset-0 z-30 bg-canvas p-6">
    <div className="h-full rounded-lg bg-accent-soft">
      <DropBox project={project} />
    </div>
  </div>
)
