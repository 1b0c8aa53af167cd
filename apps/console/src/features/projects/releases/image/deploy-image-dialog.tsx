import { type ContainerImage, containerImage } from '@slipway/contract/container-images'
import { m } from '@slipway/phrases'
import { useState } from 'react'
import * as z from 'zod/mini'
import { newIdempotencyKey } from '../../../../api/idempotency-key.ts'
import { DialogActions } from '../../../../forms/dialog-actions.tsx'
import { useForm } from '../../../../forms/use-form.ts'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import { Form } from '../../../../ui/field/form.tsx'
import { TextField } from '../../../../ui/field/text-field.tsx'

export type DeployImage = (image: ContainerImage, idempotencyKey: string) => Promise<void>

/** NaN for anything but digits. */
const numberOf = (text: string) => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN)

const fields = z.object({
  reference: z.string(),
  port: z.string(),
  healthPath: z.string(),
  dataPath: z.string(),
  userId: z.string(),
})

const schema = z.pipe(
  z.pipe(
    fields,
    z.transform(
      ({ reference, port, healthPath, dataPath, userId }): z.input<typeof containerImage> => ({
        reference,
        port: numberOf(port),
        healthPath: healthPath.trim(),
        dataPath: dataPath.trim() || null,
        userId: numberOf(userId),
      }),
    ),
  ),
  containerImage,
)

function ImageForm({
  image,
  deploy,
  onClose,
}: {
  image: ContainerImage | null
  deploy: DeployImage
  onClose: () => void
}) {
  const [idempotencyKey] = useState(newIdempotencyKey)
  const form = useForm({
    schema,
    initial: {
      reference: image?.reference ?? '',
      port: image ? String(image.port) : '',
      healthPath: image?.healthPath ?? '/',
      dataPath: image?.dataPath ?? '',
      userId: String(image?.userId ?? 1000),
    },
    async submit(body) {
      await deploy(body, idempotencyKey)
      onClose()
    },
  })
  return (
    <Form {...form.props}>
      <TextField
        {...form.field('reference')}
        label={m.release_image_reference()}
        description={m.release_image_reference_hint()}
        required
        autoComplete="off"
        spellCheck={false}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('port')}
          label={m.release_image_port()}
          description={m.release_image_port_hint()}
          required
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          {...form.field('healthPath')}
          label={m.release_image_health()}
          description={m.release_image_health_hint()}
          required
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          {...form.field('dataPath')}
          label={m.release_image_data()}
          description={m.release_image_data_hint()}
          placeholder="/data"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          {...form.field('userId')}
          label={m.release_image_user()}
          description={m.release_image_user_hint()}
          required
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <DialogActions action={form} submit={m.release_image_deploy()} onCancel={onClose} />
    </Form>
  )
}

/** Deploys a container image; the fields begin with the image of an earlier release. */
export const DeployImageDialog = ({
  image,
  deploy,
  open,
  onClose,
}: {
  image: ContainerImage | null
  deploy: DeployImage
  open: boolean
  onClose: () => void
}) => (
  <Dialog
    open={open}
    title={m.release_image_deploy()}
    wide
    changed
    closeLabel={m.shell_close()}
    onClose={onClose}
  >
    <ImageForm image={image} deploy={deploy} onClose={onClose} />
  </Dialog>
)
