import type { Project } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import { formatPercent, getLocale, m } from '@slipway/phrases'
import FolderUp from 'lucide-react/icons/folder-up'
import { type DragEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Alert } from '../../../../ui/alert.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'
import { useReleaseNews } from '../release-news.ts'
import { type ChosenFile, filesOfDrop, filesOfInput } from './chosen-files.ts'
import { type DeploymentState, useDeployment } from './use-deployment.ts'

/** What can be dropped; a static site unless listed. Null: only operators add files. */
const hints: Partial<Record<Runtime, (() => string) | null>> = {
  starter: m.release_drop_starter,
  node: m.release_drop_node,
  php: m.release_drop_php,
  wordpress: null,
}

/** True when customers upload the files of a project. */
export const takesFiles = ({ runtime }: Project) => hints[runtime] !== null

/** The browser would open a file that misses the zone, and leave the page. */
function useIgnoredDrops() {
  useEffect(() => {
    function ignore(event: globalThis.DragEvent) {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    addEventListener('dragover', ignore)
    addEventListener('drop', ignore)
    return () => {
      removeEventListener('dragover', ignore)
      removeEventListener('drop', ignore)
    }
  }, [])
}

/** A place to drop a folder, files or an archive on, with buttons that choose them. */
export function DeployZone({ project }: { project: Project }) {
  const { state, isBusy, deploy, retry, cancel } = useDeployment(project.id)
  const [isOver, setIsOver] = useState(false)
  const zone = useRef<HTMLDivElement>(null)
  const news = useReleaseNews(project.id)
  useIgnoredDrops()

  const wasBusy = useRef(isBusy)
  useLayoutEffect(() => {
    // The clicked button was replaced: move the focus to the zone of its replacement.
    if (wasBusy.current !== isBusy && document.activeElement === document.body)
      zone.current?.focus({ preventScroll: true })
    wasBusy.current = isBusy
  }, [isBusy])

  function onDragOver(event: DragEvent) {
    event.preventDefault()
    setIsOver(!isBusy)
  }
  function onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
    if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false)
  }
  function onDrop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    deploy(filesOfDrop(event.dataTransfer.items))
  }

  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        ref={zone}
        role="group"
        aria-label={m.release_deploy()}
        tabIndex={-1}
        onDragOver={onDragOver}
        onDragLeave={onDragLeave}
        onDrop={onDrop}
        className={classNames(
          'grid min-h-47.5 content-center justify-items-center gap-3 rounded-md border border-dashed px-4 py-8 text-center transition-colors',
          isOver ? 'border-accent bg-accent-soft' : 'border-control/60',
        )}
      >
        {isBusy ? (
          <Progress state={state} onCancel={cancel} />
        ) : (
          <>
            <FolderUp className="size-6 text-muted" aria-hidden />
            <div className="grid gap-1">
              <p className="font-medium">{m.release_drop()}</p>
              <p className="text-muted">{(hints[project.runtime] ?? m.release_drop_hint)()}</p>
            </div>
            <div className="flex flex-wrap justify-center gap-2">
              <ChooseButton label={m.release_choose_folder()} folder onChoose={deploy} />
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
      <p role="status" className="sr-only">
        {isBusy ? stepTexts[state.step === 'packing' ? 'packing' : 'uploading']() : news}
      </p>
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
  onChoose: (files: Promise<ChosenFile[]>) => void
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
          onChoose(Promise.resolve(filesOfInput(currentTarget.files ?? [])))
          // The same files can be chosen again.
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
        className="h-2 w-full max-w-xs appearance-none overflow-hidden rounded-md bg-line [&::-moz-progress-bar]:bg-accent-fill [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent-fill"
      />
      <Button onClick={onCancel}>
        {m.shell_cancel()}
        <VisuallyHidden>: {m.release_upload()}</VisuallyHidden>
      </Button>
    </>
  )
}
