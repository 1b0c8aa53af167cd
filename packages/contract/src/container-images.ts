import * as z from 'zod/mini'
import type { FormMessage } from './form-messages.ts'

/** `name@sha256:…`, as registries address an image that never changes. */
const imageReference = /^[a-z0-9][a-z0-9._:/-]{0,254}@sha256:[0-9a-f]{64}$/
const absolutePath = /^\/[A-Za-z0-9._~/-]{0,255}$/

const digestMissing = 'form_image_digest' satisfies FormMessage
const portInvalid = 'form_image_port' satisfies FormMessage
const pathInvalid = 'form_image_path' satisfies FormMessage
const userInvalid = 'form_image_user' satisfies FormMessage
const folderInvalid = 'form_image_folder' satisfies FormMessage

/** A container image and how it runs. Projects of the runtime `image` deploy it. */
export const containerImage = z.object({
  reference: z.string(digestMissing).check(z.trim(), z.regex(imageReference, digestMissing)),
  port: z.int(portInvalid).check(z.gte(1, portInvalid), z.lte(65_535, portInvalid)),
  healthPath: z._default(z.string().check(z.regex(absolutePath, pathInvalid)), '/'),
  /** The user that it runs as; never root. */
  userId: z._default(
    z.int(userInvalid).check(z.gte(1, userInvalid), z.lte(65_534, userInvalid)),
    1000,
  ),
  /** The folder that is stored on a volume; null for a stateless image. */
  dataPath: z._default(
    z.nullable(
      z.string().check(
        z.regex(absolutePath, folderInvalid),
        // A volume mounted at `/` would hide the files of the image.
        z.refine((path) => path.replace(/\/+$/, '') !== '' && !path.includes('..'), folderInvalid),
      ),
    ),
    null,
  ),
})
export type ContainerImage = z.output<typeof containerImage>

/** A reference with twelve digits of its digest, as container tools show it. */
export const shortReference = (reference: string): string =>
  reference.replace(/(?<=@sha256:.{12}).*$/, '')
