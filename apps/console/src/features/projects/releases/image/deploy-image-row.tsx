import type { ContainerImage } from '@slipway/contract/container-images'
import { m } from '@slipway/phrases'
import Box from 'lucide-react/icons/box'
import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { lazyDialog } from '../../../../ui/dialog/lazy-dialog.tsx'
import { deployRowClass } from '../upload/deploy-row-class.ts'
import type { DeployImage } from './deploy-image-dialog.tsx'

const DeployImageDialog = lazyDialog(() =>
  import('./deploy-image-dialog.tsx').then((module) => module.DeployImageDialog),
)

/**
 * A line with a button that deploys a container image. Gets the calls as props: if it imported
 * them, the bundler would move them to a chunk that every screen loads.
 */
export default function DeployImageRow({
  image,
  isFirst,
  news,
  deploy,
}: {
  /** The image with which the form begins; undefined until it is loaded. */
  image: ContainerImage | null | undefined
  /** Its button is the filled one of the page. */
  isFirst: boolean
  /** The state of the newest release, for screen readers. */
  news: string
  deploy: DeployImage
}) {
  const [open, setOpen] = useState(false)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-label={m.release_deploy()} className={deployRowClass}>
      <Box className="size-5 shrink-0 text-muted" aria-hidden />
      <p className="min-w-0 flex-1">
        <span className="font-medium">{m.release_deploy()}</span>
        <span className="ml-3 text-muted max-sm:hidden">{m.release_image_hint()}</span>
      </p>
      <Button
        variant={isFirst ? 'primary' : undefined}
        disabled={image === undefined}
        onClick={() => setOpen(true)}
      >
        {m.release_image_deploy()}
      </Button>
      <DeployImageDialog
        image={image ?? null}
        deploy={deploy}
        open={open}
        onClose={() => setOpen(false)}
      />
      <p role="status" className="sr-only">
        {news}
      </p>
    </div>
  )
}
