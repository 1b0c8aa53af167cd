import type { ProjectId } from '@slipway/contract/projects'
import { formatPercent, getLocale, m } from '@slipway/phrases'
import FolderUp from 'lucide-react/icons/folder-up'
import { type DragEvent, useRef, useState } from 'react'
import { Alert } from '../../../../ui/alert.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { type ChosenFile, filesOfDrop, filesOfInput } from './chosen-files.ts'
import { type DeploymentState, useDeployment } from './use-deployment.ts'

/** A place to drop a folder, files or an archive on, with buttons that choose them. */
export function DeployZone({ projectId, hint }: { projectId: ProjectId; hint: string }) {
  const { state, deploy, retry, cancel } = useDeployment(projectId)
  const [isOver, setIsOver] = useState(false)
  const isBusy = state.step === 'packing' || state.step === 'uploading'

  function onDrag(event: DragEvent, over: boolean) {
    event.preventDefault()
    setIsOver(over && !isBusy)
  }
  async function onDrop(event: DragEvent) {
    onDrag(event, false)
    deploy(await filesOfDrop(event.dataTransfer.items))
  }

  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same by keyboard */}
      <div
        onDragOver={(event) => onDrag(event, true)}
        onDragLeave={(event) => onDrag(event, false)}
        onDrop={onDrop}
        className={classNames(
          'grid justify-items-center gap-3 rounded-md border border-dashed px-4 py-8 text-center transition-colors',
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
              <p className="text-muted">{hint}</p>
            </div>
            <div className="flex flex-wrap justify-center gap-2">
              <ChooseButton label={m.release_choose_folder()} folder onChoose={deploy} />
              <ChooseButton label={m.release_choose_files()} onChoose={deploy} />
            </div>
          </>
        )}
      </div>
      {state.step === 'failed' && (
        <Alert kind="failure" actions={<Button onClick={retry}>{m.shell_retry()}</Button>}>
          {state.message}
        </Alert>
      )}
    </div>
  )
}

/** A button that opens the browser's dialog for files or for one folder. */
function ChooseButton({
  label,
  folder = false,
  onChoose,
}: {
  label: string
  folder?: boolean
  onChoose: (files: ChosenFile[]) => void
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
          onChoose(filesOfInput(currentTarget.files ?? []))
          // The same files can be chosen again.
          currentTarget.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>{label}</Button>
    </>
  )
}

function Progress({
  state,
  onCancel,
}: {
  state: Extract<DeploymentState, { step: 'packing' | 'uploading' }>
  onCancel: () => void
}) {
  const percent = formatPercent(state.share, getLocale())
  const text =
    state.step === 'packing' ? m.release_packing({ percent }) : m.release_uploading({ percent })
  return (
    <>
      <p className="font-medium tabular-nums">{text}</p>
      <progress value={state.share} max={1} aria-label={text} className="w-full max-w-xs" />
      <Button onClick={onCancel}>{m.shell_cancel()}</Button>
    </>
  )
}
