import type { Project } from '@slipway/contract/projects'
import { similarRuntime } from '@slipway/contract/releases'
import { formatPercent, getLocale, m } from '@slipway/phrases'
import FolderUp from 'lucide-react/icons/folder-up'
import { type ComponentProps, useEffect, useLayoutEffect, useRef } from 'react'
import { Alert } from '../../../../ui/alert.tsx'
import { Button } from '../../../../ui/button.tsx'
import { useOnDemand } from '../../../../ui/on-demand.ts'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'
import { useReleaseNews } from '../release-news.tsx'
import { useReleases } from '../release-queries.ts'
import { type ChosenItems, itemsOfInput } from './chosen-items.ts'
import type { DeployAs } from './deploy-as.tsx'
import { deployRowClass } from './deploy-row-class.ts'
import { DropOverlay } from './drop-box.tsx'
import { type DeploymentState, useDeployment } from './use-deployment.ts'
import { usePageDrop } from './use-page-drop.ts'

const loadDeployAs = () => import('./deploy-as.tsx')

/** Loads on demand: few releases fail, and fewer because of their runtime. */
function LazyDeployAs(props: ComponentProps<typeof DeployAs>) {
  const { part, preload } = useOnDemand(loadDeployAs)
  useEffect(() => void preload(), [preload])
  return part && <part.DeployAs {...props} />
}

/** A line with buttons that choose a folder or files. The whole page accepts dropped files. */
export function DeployRow({ project }: { project: Project }) {
  const { state, isBusy, runtime, deploy, deployAs, retry, cancel } = useDeployment(project.id)
  const newest = useReleases(project.id).data?.items[0]
  const similar = newest && similarRuntime(newest)
  const row = useRef<HTMLDivElement>(null)
  const news = useReleaseNews(project)
  const isDragging = usePageDrop(row, { isBusy, onDrop: deploy })

  const wasBusy = useRef(isBusy)
  useLayoutEffect(() => {
    // The clicked button was replaced: move the focus to the row of its replacement.
    if (wasBusy.current !== isBusy && document.activeElement === document.body)
      row.current?.focus({ preventScroll: true })
    wasBusy.current = isBusy
  }, [isBusy])

  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        ref={row}
        role="group"
        aria-label={m.release_deploy()}
        tabIndex={-1}
        className={deployRowClass}
      >
        {isBusy ? (
          <Progress state={state} onCancel={cancel} />
        ) : (
          <>
            <FolderUp className="size-5 shrink-0 text-muted" aria-hidden />
            <p className="min-w-0 flex-1">
              <span className="font-medium">{m.release_deploy()}</span>
              <span className="ml-3 text-muted max-sm:hidden">{m.release_drop_anywhere()}</span>
            </p>
            <div className="flex gap-2">
              {/* A phone has no folders to choose. */}
              <span className="max-sm:hidden">
                <ChooseButton label={m.release_choose_folder()} folder onChoose={deploy} />
              </span>
              <ChooseButton label={m.release_choose_files()} onChoose={deploy} />
            </div>
          </>
        )}
      </div>
      {state.step === 'failed' && (
        <Alert
          kind="failure"
          actions={state.canRetry && <Button onClick={retry}>{m.shell_retry()}</Button>}
        >
          {state.message}
        </Alert>
      )}
      {similar && !isBusy && (
        <LazyDeployAs
          runtime={similar}
          isChosen={runtime === similar}
          onChoose={() => deployAs(similar, newest)}
        />
      )}
      <p role="status" className="sr-only">
        {isBusy ? stepTexts[state.step === 'packing' ? 'packing' : 'uploading']() : news}
      </p>
      {isDragging && <DropOverlay project={project} />}
    </div>
  )
}

const stepTexts = { packing: m.release_packing, uploading: m.release_uploading }

/** A button that opens the browser's dialog for files or for one folder. */
function ChooseButton({
  label,
  folder = false,
  onChoose,
}: {
  label: string
  folder?: boolean
  onChoose: (items: ChosenItems) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...(folder ? { webkitdirectory: '' } : {})}
        onChange={({ currentTarget }) => {
          onChoose(itemsOfInput(currentTarget.files ?? []))
          // Otherwise choosing the same files again would be no change.
          currentTarget.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>{label}</Button>
    </>
  )
}

function Progress({ state, onCancel }: { state: DeploymentState; onCancel: () => void }) {
  if (state.step !== 'packing' && state.step !== 'uploading') return null
  const text = stepTexts[state.step]()
  return (
    <>
      <p className="font-medium tabular-nums">
        {text} {formatPercent(state.share, getLocale())}
      </p>
      <progress
        value={state.share}
        max={1}
        aria-label={text}
        className="h-2 min-w-0 flex-1 appearance-none overflow-hidden rounded-md bg-line [&::-moz-progress-bar]:bg-accent-fill [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent-fill"
      />
      <Button onClick={onCancel}>
        {m.shell_cancel()}
        <VisuallyHidden>: {m.release_upload()}</VisuallyHidden>
      </Button>
    </>
  )
}
