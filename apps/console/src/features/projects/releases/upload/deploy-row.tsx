import type { Project } from '@slipway/contract/projects'
import { similarRuntime } from '@slipway/contract/releases'
import { formatBytes, formatNumber, formatPercent, getLocale, m } from '@slipway/phrases'
import FolderUp from 'lucide-react/icons/folder-up'
import { type ComponentProps, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { CopyValue } from '../../../../shell/page/copy-value.tsx'
import { Alert } from '../../../../ui/alert.tsx'
import { Button, type ButtonVariant } from '../../../../ui/button.tsx'
import { useOnDemand } from '../../../../ui/on-demand.ts'
import { useIsPhone } from '../../../../ui/use-is-phone.ts'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'
import { useReleaseNews } from '../release-news.tsx'
import { useReleases } from '../release-queries.ts'
import { filesHint } from './accepted-files.ts'
import type { ChosenFiles } from './chosen-files.ts'
import { type ChosenItems, itemsOfInput } from './chosen-items.ts'
import type { DeployAs } from './deploy-as.tsx'
import { deployRowClass, firstDeployClass } from './deploy-row-class.ts'
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

/**
 * A line with buttons that choose a folder or files; a large box if `isFirst`, before the first
 * release. The whole page accepts dropped files.
 */
export function DeployRow({ project, isFirst }: { project: Project; isFirst: boolean }) {
  const { state, isBusy, runtime, deploy, deployAs, retry, cancel } = useDeployment(project.id)
  const newest = useReleases(project.id).data?.items[0]
  const similar = newest && similarRuntime(newest)
  const isPhone = useIsPhone()
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
        className={isFirst ? firstDeployClass : deployRowClass}
        // As high with the progress as with the texts.
        style={isFirst ? { minHeight: '18rem' } : undefined}
      >
        {isBusy ? (
          <Progress state={state} onCancel={cancel} />
        ) : (
          <Texts project={project} isFirst={isFirst}>
            <div className={isFirst ? 'flex gap-2 py-4' : 'flex gap-2'}>
              {/* A phone has no folders to choose: there the other button is filled. */}
              <span className="max-sm:hidden">
                <ChooseButton
                  label={m.release_choose_folder()}
                  variant={isFirst ? 'primary' : undefined}
                  folder
                  onChoose={deploy}
                />
              </span>
              <ChooseButton
                label={m.release_choose_files()}
                variant={isFirst && isPhone ? 'primary' : undefined}
                onChoose={deploy}
              />
            </div>
          </Texts>
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

/** What can be deployed, around the buttons. */
function Texts({
  project,
  isFirst,
  children,
}: {
  project: Project
  isFirst: boolean
  children: ReactNode
}) {
  if (!isFirst)
    return (
      <>
        <FolderUp className="size-5 shrink-0 text-muted" aria-hidden />
        <p className="min-w-0 flex-1">
          <span className="font-medium">{m.release_deploy()}</span>
          <span className="ml-3 text-muted max-sm:hidden">{m.release_drop_anywhere()}</span>
        </p>
        {children}
      </>
    )
  return (
    <>
      <FolderUp className="size-6 text-muted" aria-hidden />
      <h2 className="text-base font-semibold">{m.release_first_title()}</h2>
      <p className="text-muted max-sm:hidden">{m.release_drop_anywhere()}</p>
      <p className="text-muted">{filesHint(project)}</p>
      {children}
      <p className="text-muted max-sm:hidden">
        {m.release_command_line()}{' '}
        <CopyValue text={commandFor(project)} label={m.release_command_copy()}>
          <code className="rounded-md bg-hover px-2 py-1 text-fg">{commandFor(project)}</code>
        </CopyValue>
      </p>
    </>
  )
}

const commandFor = ({ key }: Project) => `npx @slipway/cli deploy --project ${key}`

/** A button that opens the browser's dialog for files or for one folder. */
function ChooseButton({
  label,
  variant,
  folder = false,
  onChoose,
}: {
  label: string
  variant: ButtonVariant | undefined
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
      <Button variant={variant} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  )
}

/** The name of the chosen folder or file, and its size: `dist · 120 files, 4.2 MB`. */
function chosenText({ name, count, bytes }: ChosenFiles) {
  const locale = getLocale()
  const size = formatBytes(bytes, locale)
  return [
    name,
    count === 1 ? size : m.release_size({ count, files: formatNumber(count, locale), size }),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Progress({ state, onCancel }: { state: DeploymentState; onCancel: () => void }) {
  if (state.step !== 'packing' && state.step !== 'uploading') return null
  const text = stepTexts[state.step]()
  return (
    <div className="grid w-full min-w-0 gap-2 text-left">
      <div className="flex min-w-0 items-center gap-4">
        <p className="min-w-0 flex-1 truncate">
          <span className="font-medium">{text}</span>
          {state.files && <span className="ml-3 text-muted">{chosenText(state.files)}</span>}
        </p>
        <span>{formatPercent(state.share, getLocale())}</span>
        <Button onClick={onCancel}>
          {m.shell_cancel()}
          <VisuallyHidden>: {m.release_upload()}</VisuallyHidden>
        </Button>
      </div>
      <progress
        value={state.share}
        max={1}
        aria-label={text}
        className="h-2 w-full appearance-none overflow-hidden rounded-md bg-line [&::-moz-progress-bar]:bg-accent-fill [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent-fill"
      />
    </div>
  )
}
